import type { FieldError } from '../../kit/problem.ts'

/** The plan that an offer starts on, by its set's id. */
export interface PlanChoice {
  planSetId: string | null
  planName: string | null
}

/** The plan an offer starts on once a request is done: a set given keeps the plan's name unless that is given too, an emptied set takes it along. */
export function choosePlan(
  stored: PlanChoice,
  given: { assignedPlanSetId?: string | null; assignedPlanName?: string | null },
): { choice: PlanChoice; errors: FieldError[] } {
  const { assignedPlanSetId: setId = stored.planSetId, assignedPlanName: name } = given
  if (setId === null) {
    const pointer = '/assignedPlanSetId'
    const errors = typeof name === 'string' ? [{ pointer, message: 'say which plan set has the plan' }] : []
    return { choice: { planSetId: null, planName: null }, errors }
  }
  const planName = name === undefined ? stored.planName : name
  const errors = planName === null ? [{ pointer: '/assignedPlanName', message: 'say which plan of the set it is' }] : []
  return { choice: { planSetId: setId.toLowerCase(), planName }, errors }
}
