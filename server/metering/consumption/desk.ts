import type { Problem } from '../../kit/problem.ts'
import type { Course } from './course.ts'
import type { DecisionRow, HoldRow } from './decided-store.ts'

/** What operations of one tenant are decided on: the meters, the decisions that were given, the holds. */
export interface Desk {
  courses: Map<string, Course>
  decided: Map<string, Pick<DecisionRow, 'asked' | 'answer'>>
  holds: Map<string, HoldRow>
  /** Why sessions, by their ids, are given nothing new; what was decided before stands. */
  refusals: ReadonlyMap<string, Problem>
  tenantId: string
  newDecisions: DecisionRow[]
  changedHolds: Set<HoldRow>
}
