import type { Decimal } from '../../kit/decimal.ts'
import type { Problem } from '../../kit/problem.ts'
import type { By } from './course.ts'
import type { Decision } from './decision.ts'

/** What a session asks of its entitlement's meters. */
export type Operation = Asked & { by: By; sessionId: string; entitlementId: string }

type Asked =
  | { deed: 'consume'; metric: string; amount: Decimal; key: string }
  | { deed: 'hold'; metric: string; amount: Decimal; key: string; holdsFor: string }
  | { deed: 'settle'; holdId: string; amount: Decimal }
  | { deed: 'release'; holdId: string }

/** A decision on a hold; its id is null when nothing was held. */
export interface HoldDecision extends Decision {
  holdId: string | null
  expiresAt: string | null
}

export interface Released {
  holdId: string
  released: boolean
  releasedAt: string
}

export type Answer = Decision | HoldDecision | Released

/** How one operation ended. */
export type Outcome = { answer: Answer } | { refusal: Problem }
