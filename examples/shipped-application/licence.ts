import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** What a device may do now: see the table in README.md. */
export type State = 'active' | 'due' | 'in grace' | 'stopped'

export interface Claims {
  iss: string
  aud: string
  sub: string
  iat: number
  nbf: number
  exp: number
  lease_exp: number
  fingerprint: string
  trial: boolean
  features: { code: string; type: string; value: string | null; enabled: boolean; expires: number | null }[]
  plan: string | null
}

export interface Settings {
  /** The tenant's base URL, such as `https://licences.example.com/t/acme`. */
  baseUrl: string
  /** The keys of `{baseUrl}/.well-known/jwks.json`, shipped with the application; a newer key is fetched when a token names it. */
  keys: JsonWebKey[]
  /** By which this device is known again. */
  fingerprint: string
  /** Where the token is kept between starts. */
  file: string
}

/** The licence of one device: kept in a file, verified without a network, renewed in time. Copy it, and make it yours. */
export class Licence {
  readonly #settings: Settings
  #token: string | undefined
  #claims: Claims | undefined

  constructor(settings: Settings) {
    this.#settings = settings
    this.#keep(readToken(settings.file))
  }

  /** Where the device stands at `now`, by its token alone. */
  state(now = Date.now()): State {
    const claims = this.#claims
    const seconds = now / 1000
    if (!claims || seconds >= claims.exp || seconds < claims.nbf - 60) return 'stopped'
    if (seconds >= claims.lease_exp) return 'in grace'
    return seconds < claims.iat + (claims.lease_exp - claims.iat) / 2 ? 'active' : 'due'
  }

  /** The value of a feature that the device may use now; undefined when it may not. */
  feature(code: string, now = Date.now()): string | null | undefined {
    const feature = this.#claims?.features.find((one) => one.code === code)
    const isUsable = feature?.enabled && (feature.expires === null || now / 1000 < feature.expires)
    return isUsable && this.state(now) !== 'stopped' ? feature.value : undefined
  }

  /** Takes a seat, or finds the one that this device has. Throws Refused, or a network's own error; both may be tried again. */
  async activate(activationCode: string): Promise<void> {
    const { fingerprint } = this.#settings
    const { token } = (await this.#ask('jwt', { activationCode, fingerprint })) as { token: string }
    await this.#accept(token)
  }

  /**
   * To be called at the start, then now and then, say every minute: renews when it is time. Without a network nothing happens
   * until grace ends. Throws Refused when the licence is no longer good, and has stopped the device by then.
   */
  async keepUp(): Promise<State> {
    if (!this.#claims) await this.#takeKept()
    if (this.state() === 'due' || this.state() === 'in grace')
      await this.#askOfSession('renew', async (answer) => this.#accept((answer as { token: string }).token))
    return this.state()
  }

  /** Says that the application is in use, and learns at once that the vendor took the seat away: throws Refused as `keepUp` does. */
  async checkIn(): Promise<State> {
    if (this.#claims) await this.#askOfSession('check-in')
    return this.state()
  }

  /** Gives the seat back: the device stops, another may start. */
  async release(): Promise<void> {
    if (!this.#claims) return
    await this.#ask(`${this.#claims.sub}/release`, {}, this.#token)
    this.#forget()
  }

  /** An answer that the licence is no longer good stops the device; an outage changes nothing, nor does any other answer. */
  async #askOfSession(deed: string, use: (answer: unknown) => Promise<void> = async () => undefined): Promise<void> {
    try {
      await use(await this.#ask(`${this.#claims!.sub}/${deed}`, {}, this.#token))
    } catch (error) {
      if (!(error instanceof Refused) || !error.isOfLicence) return
      this.#forget()
      throw error
    }
  }

  async #ask(path: string, body: object, token?: string): Promise<unknown> {
    const answer = await fetch(`${this.#settings.baseUrl}/api/v1/provision/activations/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    return readAnswer(answer)
  }

  /** Keeps a new token, when it is one that this device can check for itself. */
  async #accept(token: string): Promise<void> {
    const { baseUrl, keys } = this.#settings
    if (!keys.some(({ kid }) => kid === headerOf(token).kid)) {
      const answer = await fetch(`${baseUrl}/.well-known/jwks.json`, { signal: AbortSignal.timeout(10_000) })
      keys.push(...((await readAnswer(answer)) as { keys: JsonWebKey[] }).keys)
    }
    if (!this.#keep(token)) throw new Error('the server answered with a token that does not verify')
    writeFileSync(`${this.#settings.file}.new`, token, { mode: 0o600 })
    renameSync(`${this.#settings.file}.new`, this.#settings.file)
  }

  /**
   * A kept token may name a key that is newer than the application: it is fetched again at each start, for whoever can write
   * to a file of keys could sign a licence.
   */
  async #takeKept(): Promise<void> {
    const token = readToken(this.#settings.file)
    if (token !== undefined) await this.#accept(token).catch(() => undefined)
  }

  #keep(token: string | undefined): boolean {
    const claims = token === undefined ? undefined : verifiedClaims(token, this.#settings)
    if (claims) [this.#token, this.#claims] = [token, claims]
    return claims !== undefined
  }

  #forget(): void {
    this.#token = this.#claims = undefined
    rmSync(this.#settings.file, { force: true })
  }
}

/** What the server answered. Throws Refused when it said no, and a SyntaxError when the answer is not its own: a gateway's, say. */
export async function readAnswer(answer: Response): Promise<unknown> {
  const said = (await answer.json()) as Problem | null
  if (answer.ok) return said
  if (typeof said?.codeName !== 'string')
    throw new SyntaxError(`an answer with ${answer.status} that is not the server's`)
  throw new Refused(answer.status, said)
}

/** What the server says when it says no. */
interface Problem {
  codeName: string
  detail?: string
  /** Each field that is not acceptable. */
  errors?: { pointer?: string; message: string }[]
}

/** The server said no. `codeName` is for programs, `message` and the `errors` are for people. */
export class Refused extends Error {
  readonly codeName: string
  readonly errors: NonNullable<Problem['errors']>
  /** Whether trying again later may help, though nothing else changes. */
  readonly isTemporary: boolean
  /** Whether it is said of the licence or its token; else the request is at fault, its path for one, or the server. */
  readonly isOfLicence: boolean

  constructor(status: number, { codeName, detail = '', errors = [] }: Problem) {
    super(detail)
    this.codeName = codeName
    this.errors = errors
    this.isTemporary = status >= 500 || status === 429 || status === 408
    this.isOfLicence = status !== 400 && /^(?:license|auth)\./.test(codeName)
  }
}

/** Whether nothing is decided: no answer, a temporary one, or one that is not the server's own, such as a gateway's. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Refused) return error.isTemporary
  const isUnsent = error instanceof TypeError && error.cause !== undefined
  const isLate = error instanceof DOMException && error.name === 'TimeoutError'
  return isUnsent || isLate || error instanceof SyntaxError
}

const readPart = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString())
const headerOf = (token: string) => readPart(token.split('.')[0]) as { alg: string; typ: string; kid: string }

/** What a license token says, if this vendor signed it for this device; its times are for `state` to judge. */
export function verifiedClaims(
  token: string,
  { baseUrl, keys, fingerprint }: Pick<Settings, 'baseUrl' | 'keys' | 'fingerprint'>,
): Claims | undefined {
  try {
    const [header, payload, signature] = token.split('.')
    const { alg, typ, kid } = headerOf(token)
    const jwk = keys.find((key) => key.kid === kid)
    if (alg !== 'ES256' || typ !== 'license+jwt' || !jwk) return undefined
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
    if (!verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature ?? '', 'base64url')))
      return undefined
    const claims = readPart(payload) as Claims
    const device = createHash('sha256').update(fingerprint).digest('hex')
    return claims.aud === baseUrl && claims.fingerprint === device ? claims : undefined
  } catch {
    return undefined
  }
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
