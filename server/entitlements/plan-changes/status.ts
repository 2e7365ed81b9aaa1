import { Problem } from '../../kit/problem.ts'

export const planChangeStatuses = ['Pending', 'Approved', 'Rejected'] as const
type PlanChangeStatus = (typeof planChangeStatuses)[number]

/** Refuses to decide on a request that was decided already. */
export function requireUndecided(status: PlanChangeStatus): void {
  if (status === 'Pending') return
  throw new Problem('catalog.invalid_transition', `The request is ${status} already.`)
}
