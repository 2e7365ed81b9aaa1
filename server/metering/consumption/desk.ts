import type { Course } from './course.ts'
import type { DecisionRow, HoldRow } from './decided-store.ts'

/** What operations of one tenant are decided on: the meters, the decisions that were given, the holds. */
export interface Desk {
  courses: Map<string, Course>
  decided: Map<string, Pick<DecisionRow, 'asked' | 'answer'>>
  holds: Map<string, HoldRow>
  tenantId: string
  newDecisions: DecisionRow[]
  changedHolds: Set<HoldRow>
}
