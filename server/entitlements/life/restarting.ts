import { Problem } from '../../kit/problem.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import type { Settled } from './settling.ts'
import { isOver } from './standing.ts'
import { tell } from './telling.ts'
import { isTrial, withTrialFrom } from './trials.ts'

/**
 * The trial with a whole trial before it, from now (milliseconds) or from when it becomes valid; one that its trial's end had
 * made Expired is Active again. Throws catalog.invalid_transition for what is no trial, is Cancelled, or is past its own end.
 */
export function restartTrial(row: EntitlementRow, now: number): Settled {
  if (!isTrial(row)) throw refusal('It is no trial: isEntitlementTrial and an enabled trialPolicy make it one.')
  if (row.status === 'Cancelled') throw refusal('It is Cancelled, and its trial with it.')
  const restarted = withTrialFrom(row, now)
  if (row.status !== 'Expired') return { row: restarted, happenings: [] }
  if (isOver(restarted, now)) throw refusal('It is past its expirationDateTime: renew it instead.')
  const active = { ...restarted, status: 'Active' }
  return { row: active, happenings: [tell('Entitlement.Activated', active)] }
}

const refusal = (detail: string) => new Problem('catalog.invalid_transition', detail)
