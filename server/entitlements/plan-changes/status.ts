import { Problem } from '../../kit/problem.ts'

export const planChangeStatuses = ['Pending', 'Approved', 'Rejected'] as const
type PlanChangeStatus = (typeof planChangeStatuses)[number]

/** Refuses to decide on a request that was decided already; what is neither awaits it, as the version before may have called it. */
export function requireUndecided(status: PlanChangeStatus): void {
  if (status !== 'Approved' && status !== 'Rejected') return
  throw new Problem('catalog.invalid_transition', `The request is ${status} already.`)
}
