import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { lookFirst } from '../server-connection/asking.ts'
import type { LicensedSession } from './licensed-session.ts'
import type { Decision } from './tenant-records.ts'

/** What is asked for; without a key it is only asked whether it would be allowed. */
export interface Consumption {
  metric: string
  /** As it was written: every digit counts. */
  amount: string
  key: string | null
}

/** Consumes an amount as a session, or asks whether it could. Repeated with the same key, the decision is the first one's. */
export async function consumeUsage(session: LicensedSession, { metric, amount, key }: Consumption): Promise<Decision> {
  const place = `${encodeURIComponent(session.id)}/${encodeURIComponent(metric)}`
  const deed = key === null ? 'try-preallocate' : 'try-consume'
  const query = { amount, idempotentKey: key ?? undefined }
  const decision = await duringPhase(`Asking ${session.host}`, () =>
    session.call('POST', `/api/v1/provision/usage/${deed}/${place}`, { query }),
  )
  if (typeof decision.allowed === 'boolean') return decision as unknown as Decision
  throw new Problem('cli.unreadable_answer', 'The server answered without a decision.', {
    ...(key !== null && { hint: lookFirst }),
  })
}
