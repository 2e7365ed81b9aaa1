type Json = ReturnType<typeof JSON.parse>

const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi
const names = /‹\d+›/g
const signed = /^[\w-]+\.([\w-]+)\.[\w-]+$/

/** The code of a credit grant, among fields of this name that are a record's own code. */
const isGrantCode = /^[0-9A-Z]{4,5}(-[0-9A-Z]{4,5}){2,}$/

/** Fields whose value each world draws by itself, where it is not one that a step has given. */
const drawn =
  /^(activationCode|licenseKey|clientSecret|secret|confirmationToken|kid|pem|x|y|n|signature|access_token|token)$/

/**
 * What a world calls by names of its own (ids, codes, secrets, tokens), by names that both worlds have in common: `‹1›` is what
 * appeared first in each. Answers are compared in these names, and steps are written in them.
 */
export class Correspondence {
  readonly #common = new Map<string, string>()
  readonly #own = new Map<string, string>()

  /** An answer in common names. Fields are taken by name, for their order on the wire says nothing. */
  toCommon(value: Json, field = ''): Json {
    if (typeof value === 'string') return this.#textToCommon(value, field)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((one) => this.toCommon(one, field))
    const entries = Object.keys(value)
      .sort()
      .map((name) => [this.toCommon(name), this.toCommon(value[name], name)])
    return Object.fromEntries(entries)
  }

  /** A step's input in this world's own names. */
  toOwn(value: Json): Json {
    if (typeof value === 'string') return value.replaceAll(names, (name) => this.#own.get(name) ?? name)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((one) => this.toOwn(one))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.toOwn(name), this.toOwn(one)]))
  }

  /** The common name of what this world calls so. */
  nameOf(own: string): string {
    const name = this.#common.get(own) ?? `‹${this.#own.size + 1}›`
    this.#common.set(own, name)
    this.#own.set(name, own)
    return name
  }

  /** Has a text of this world's own stand for no more than that there is one. */
  excuse(own: string): void {
    this.#common.set(own, '‹own›')
  }

  #textToCommon(text: string, field: string): Json {
    const claims = signed.exec(text)?.[1]
    if (claims !== undefined && text.startsWith('eyJ'))
      return { name: this.nameOf(text), claims: this.toCommon(JSON.parse(Buffer.from(claims, 'base64url').toString())) }
    if (field === 'signedPayload')
      return { claims: this.toCommon(JSON.parse(Buffer.from(text, 'base64url').toString())) }
    const known = this.#common.get(text)
    if (known !== undefined) return known
    if (drawn.test(field) || (field === 'code' && isGrantCode.test(text))) return this.nameOf(text)
    return text.replaceAll(uuids, (id) => this.nameOf(id.toLowerCase()))
  }
}

/** Where two values in common names differ first, and how; undefined where they do not. */
export function firstDifference(
  left: Json,
  right: Json,
  path = '',
): { path: string; left: Json; right: Json } | undefined {
  if (Object.is(left, right)) return undefined
  const isObject = (value: Json) => typeof value === 'object' && value !== null
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right)) return { path, left, right }
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = firstDifference(left[name], right[name], `${path}/${name}`)
    if (found) return found
  }
  return undefined
}
