import { duringPhase } from '../progress.ts'
import { openSession } from './licensed-session.ts'

/** What was decided of an amount: reason null where it is allowed. */
export interface Decision {
  allowed: boolean
  reason: string | null
  metric: string
  amount: number
  usage: number
  limit: number | null
  remaining: number | null
  periodEnd: string | null
  quotaUsageLevel: string
  quotaUsagePolicy: string
  tier: string | null
  chargedCredits: number
  fundingBalanceMetric: string | null
  fundingBalanceRemaining: number | null
  retryAfterSeconds: number | null
  idempotentKey: string | null
  replayed: boolean
}

/** What is asked for; without a key it is only asked whether it would be allowed. */
export interface Consumption {
  metric: string
  /** As it was written: every digit counts. */
  amount: string
  key: string | null
}

/** Consumes an amount as the session of the license token in a file, or asks whether it could. Repeated with the same key, the decision is the first one's. */
export async function consumeUsage(
  file: string,
  { metric, amount, key }: Consumption,
  named: string | undefined,
): Promise<Decision> {
  const session = await openSession(file, named)
  const place = `${encodeURIComponent(session.id)}/${encodeURIComponent(metric)}`
  const deed = key === null ? 'try-preallocate' : 'try-consume'
  const query = { amount, idempotentKey: key ?? undefined }
  const decision: unknown = await duringPhase(`Asking ${session.host}`, () =>
    session.call('POST', `/api/v1/provision/usage/${deed}/${place}`, { query }),
  )
  return decision as Decision
}
