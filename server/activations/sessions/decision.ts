import { Problem } from '../../kit/problem.ts'
import type { ProblemName } from '../../vocabulary/problems.ts'
import type { SessionRow } from './licensed.ts'

/** How one operation ended: the session it is about, as it stood then, or why not. */
export type Decision = { session: SessionRow } | Refused
export interface Refused {
  refusal: Problem
}

/** The seats of this entitlement must be held before the operation can be decided. */
export interface SeatsWanted {
  wants: string
}

/** The operation is refused. */
export const refuse = (codeName: ProblemName, detail: string): Refused => ({ refusal: new Problem(codeName, detail) })
