import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refused, readAnswer } from '../shipped-application/licence.ts'
import { type TransactionRecord, UsageLog } from './usage-log.ts'

/** What was decided of an amount, with the figures after it. A refusal consumes nothing. */
export interface Decision {
  allowed: boolean
  reason: 'denied' | 'insufficient_credits' | 'balance_blocked' | 'suspended' | 'rate_limited' | null
  usage: number
  remaining: number | null
  retryAfterSeconds: number | null
  /** Whether an earlier call with the same key decided it. */
  replayed: boolean
}

/** The decision of a hold; holdId is null where it is refused. */
export interface Hold extends Decision {
  holdId: string | null
}

/** A record that counts for nothing, and why. */
export interface Rejection {
  transactionId: number
  codeName: string
  message: string
}

export interface Settings {
  /** The tenant's base URL, such as `https://licences.example.com/t/acme`. */
  baseUrl: string
  /** The file where the licence keeps its token. */
  licence: string
  /** The file of the usage log. */
  log: string
}

const mostRecords = 1000
const pauses = [200, 400, 800]

/** Usage of one device: asked for before the work, or noted when it happened and uploaded later. Copy it, and make it yours. */
export class Meter {
  readonly #settings: Settings
  readonly #log: UsageLog

  constructor(settings: Settings) {
    this.#settings = settings
    this.#log = new UsageLog(settings.log)
  }

  /** How many records wait to be uploaded. */
  get waiting(): number {
    return this.#log.pending.length
  }

  /**
   * Consumes an amount, or tells why not. The key names the work, not the call: the same work asked for again, after a
   * lost answer or a crash, is decided as it was the first time. Throws Refused, or a network's own error.
   */
  consume(metric: string, amount: number, key: string): Promise<Decision> {
    const query = new URLSearchParams({ amount: String(amount), idempotentKey: key })
    return this.#ask(`try-consume/${this.#claims.sub}/${metric}?${query}`)
  }

  /** Keeps an amount free for work whose size is known afterwards; it lapses by itself. Asked for again as `consume` is. */
  hold(metric: string, amount: number, key: string, expiresIn = 'PT5M'): Promise<Hold> {
    return this.#ask(`holds/${this.#claims.sub}/${metric}`, { amount, expiresIn, idempotentKey: key })
  }

  /**
   * Consumes what the work came to, in place of the hold. Where the hold has lapsed, as it does in a longer outage, that is
   * noted instead, once however often it is settled; undefined then.
   */
  async settle(holdId: string, metric: string, amount: number): Promise<Decision | undefined> {
    try {
      return await this.#ask(`holds/${holdId}/settle`, { amount })
    } catch (error) {
      if (!(error instanceof Refused) || error.codeName !== 'usage.hold_not_open') throw error
      this.note(metric, amount, holdId)
      return undefined
    }
  }

  /** Gives the hold back: there was no work. */
  async release(holdId: string): Promise<void> {
    await this.#ask(`holds/${holdId}/release`)
  }

  /** Notes usage that happened, without a network: it is uploaded later, and then counted once. With a key it is noted once, too. */
  note(metricName: string, amount: number, key?: string): void {
    const event = { metricName, amount, occurredAt: new Date().toISOString() }
    this.#log.append(this.#claims.sub, 'UsageReported', event, key)
  }

  /**
   * Uploads what was noted, in this session of the entitlement or an earlier one, batch after batch; what is not
   * acknowledged stays. Answers what the server did not take.
   */
  async upload(): Promise<Rejection[]> {
    const rejected: Rejection[] = []
    while (this.#log.pending.length > 0) {
      const batch = this.#log.pending.slice(0, mostRecords)
      const answer = await this.#ask<{ acknowledgedTransactionId: number; rejected: Rejection[] }>(
        `entitlements/${this.#claims.entitlement_id}/transactions`,
        batch.map(({ key: _key, ...record }) => record),
      )
      const [first, last] = [batch[0]!.transactionId, batch.at(-1)!.transactionId]
      if (answer.acknowledgedTransactionId < first) throw new Error('the server acknowledged nothing')
      rejected.push(...answer.rejected)
      this.#log.acknowledge(Math.min(answer.acknowledgedTransactionId, last))
    }
    return rejected
  }

  /** Every call here may be repeated: as long as nothing is decided, it is. */
  async #ask<Answer>(path: string, body?: object | readonly TransactionRecord[]): Promise<Answer> {
    for (const pause of pauses) {
      try {
        return await this.#askOnce<Answer>(path, body)
      } catch (error) {
        if (error instanceof Refused && !error.isTemporary) throw error
        await sleep(pause)
      }
    }
    return this.#askOnce<Answer>(path, body)
  }

  async #askOnce<Answer>(path: string, body?: object): Promise<Answer> {
    const answer = await fetch(`${this.#settings.baseUrl}/api/v1/provision/usage/${path}`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    return (await readAnswer(answer)) as Answer
  }

  /** As the licence last kept it: renewed in between, it is another. */
  get #token(): string {
    return readFileSync(this.#settings.licence, 'utf8').trim()
  }

  get #claims(): { sub: string; entitlement_id: string } {
    return JSON.parse(Buffer.from(this.#token.split('.')[1] ?? '', 'base64url').toString())
  }
}
