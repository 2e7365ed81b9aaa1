import { Type } from 'typebox'
import { quotaUsageLevels, quotaUsagePolicies } from '../../../catalog-schema/enumerations.ts'
import { NullableDuration, Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, NullId, NullInstant } from '../../kit/records/answers.ts'
import { Amount } from '../../metering/consumption/amount.ts'
import type { Decision } from '../../metering/consumption/decision.ts'
import type { HoldDecision, Released } from '../../metering/consumption/operation.ts'
import { ConsumptionSnapshot, UsageSnapshot } from '../../metering/consumption/snapshot-shapes.ts'

const nullable = (type: string, description: string) => ({ type: [type, 'null'], description })
const text = (description: string) => ({ type: 'string', description })
const number = (description: string) => ({ type: 'number', description })
const level = { type: 'string', enum: [...quotaUsageLevels] }
const policy = { type: 'string', enum: [...quotaUsagePolicies] }

const decisionFields = {
  allowed: { type: 'boolean', description: 'Whether the amount was consumed (or could be, when only asked).' },
  reason: {
    type: ['string', 'null'],
    enum: ['denied', 'insufficient_credits', 'balance_blocked', 'suspended', 'rate_limited', null],
    description: 'Why it is refused: nothing was consumed then.',
  },
  metric: text('The metric.'),
  amount: number('What was asked for, exactly.'),
  usage: number('What is used of the period after the decision; of a balance, since the last deposit.'),
  limit: nullable(
    'number',
    'Past which usage nothing more is allowed; of a balance its total credits; null without one.',
  ),
  remaining: nullable(
    'number',
    'What is neither used nor held of the limit, and of a balance not what holds of other metrics may cost it; null without a limit.',
  ),
  periodStart: NullInstant('The period that usage counts in, by the UTC calendar; null where it never starts anew.'),
  periodEnd: NullInstant('When the next one begins.'),
  quotaUsageLevel: {
    ...level,
    description:
      'The level of the tier, or band, in which usage stands after the decision; where tiers were asked and it is refused, that of the tier that ruled.',
  },
  quotaUsagePolicy: {
    ...policy,
    description: 'The policy that ruled: the most restrictive of the tiers that the amount touches.',
  },
  tier: nullable('string', 'The name of the tier that ruled, or of the band.'),
  chargedCredits: number(
    'What was charged for it, in credits: less than it costs only where a balance on which a hold relied was emptied meanwhile.',
  ),
  fundingBalanceMetric: nullable('string', 'The balance that pays for it, or that could not.'),
  fundingBalanceRemaining: nullable('number', 'What remains of that balance; null without an end to it.'),
  retryAfterSeconds: nullable(
    'integer',
    'When it may be otherwise: a period, suspension or minute is over then, or enough holds have lapsed. Null when nobody knows, and where the tiers allow as much in no period.',
  ),
  idempotentKey: nullable('string', 'The key it was decided under.'),
  replayed: { type: 'boolean', description: 'Whether it was decided by an earlier call with the same key.' },
  decidedAt: Instant('When it was decided.'),
}

const object = <T>(properties: Record<string, object>) =>
  Type.Unsafe<T>({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })

const DecisionAnswer = object<Decision>(decisionFields)

const params = Closed({
  sessionId: Uuid({ description: 'The session, whose license token is sent.' }),
  metric: Type.String({ description: 'The metric name, exactly as the catalog has it.' }),
})

const idempotentKey = Text(200, {
  min: 1,
  description:
    "Names this consumption once and for ever on the entitlement: another call with it, the same in everything, gets this call's decision; any other call with it is refused.",
})

/** Why a session may not go on: it, its device or its entitlement is not good now. */
export const standingRefusals = [
  'license.session_not_valid',
  'license.device_not_allowed',
  'license.entitlement_not_active',
  'license.not_yet_valid',
  'license.expired',
] as const

const refusals = ['usage.metric_not_found', ...standingRefusals] as const

/** Of what uses the seat of a session, which is taken again where it had lapsed. */
const seatRefusals = ['license.code_used_up', 'license.seats_exhausted'] as const

export const tryPreallocate = contract({
  name: 'usage.tryPreallocate',
  method: 'POST',
  path: `${provision}/usage/try-preallocate/{sessionId}/{metric}`,
  access: 'session',
  summary: 'Ask whether an amount could be consumed',
  description: 'What try-consume would answer now. Changes nothing and keeps nothing free.',
  params,
  query: Closed({ amount: Type.Optional(Amount('How much; 1 unless told.')) }),
  answer: DecisionAnswer,
  problems: refusals,
  changesNothing: true,
})

export const tryConsume = contract({
  name: 'usage.tryConsume',
  method: 'POST',
  path: `${provision}/usage/try-consume/{sessionId}/{metric}`,
  access: 'session',
  summary: 'Consume an amount, if it is allowed',
  description:
    'Decides on the amount as a whole and commits it, with the credits it costs. A refusal by quota, balance or suspension is an answer too (`allowed` false): nothing was consumed. It keeps an InactivityBased seat, or takes one again. Safe to repeat with the same idempotentKey.',
  params,
  query: Closed({ amount: Amount('How much: above 0, below 1e18, at most 18 decimals.'), idempotentKey }),
  answer: DecisionAnswer,
  problems: [...refusals, ...seatRefusals, 'request.idempotency_conflict'],
})

export const readUsage = contract({
  name: 'usage.usage',
  method: 'GET',
  path: `${provision}/usage/{sessionId}/{metric}/usage`,
  access: 'session',
  summary: 'Read what is used of a metric',
  description: "The usage of the period against the metric's tiers; of a balance, its credits as the limit.",
  params,
  answer: UsageSnapshot,
  problems: refusals,
})

export const readConsumption = contract({
  name: 'usage.consumption',
  method: 'GET',
  path: `${provision}/usage/{sessionId}/{metric}/consumption`,
  access: 'session',
  summary: 'Read what is left of a metric',
  description: 'The credits of a balance; of a metered asset its usage, limit and what remains.',
  params,
  answer: ConsumptionSnapshot,
  problems: refusals,
})

const HoldAnswer = object<HoldDecision>({
  holdId: NullId('By which it is settled or released; null when it was refused.'),
  expiresAt: NullInstant('When it lapses.'),
  ...decisionFields,
})

export const openHold = contract({
  name: 'usage.holds.open',
  method: 'POST',
  path: `${provision}/usage/holds/{sessionId}/{metric}`,
  access: 'session',
  summary: 'Hold an amount for work whose size is known afterwards',
  description:
    'Decided like a consumption; what is held counts against limits and balances until it is settled or released, or lapses.',
  params,
  body: Closed({
    amount: Amount('How much at most, as far as is known.'),
    expiresIn: Type.Optional(
      NullableDuration({ description: 'When it lapses by itself: PT5M unless told, at most P1D.' }),
    ),
    idempotentKey,
  }),
  answer: HoldAnswer,
  problems: [...refusals, ...seatRefusals, 'request.idempotency_conflict', 'usage.too_many_holds'],
})

const holdParams = Closed({ holdId: Uuid({ description: 'The hold.' }) })

const holdRefusals = ['license.record_not_found', ...standingRefusals, 'usage.hold_not_open'] as const

export const settleHold = contract({
  name: 'usage.holds.settle',
  method: 'POST',
  path: `${provision}/usage/holds/{holdId}/settle`,
  access: 'session',
  summary: 'Consume in place of a hold',
  description:
    'Up to what was held is always allowed, 0 included; of more, the rest is decided like any consumption, and when that is refused the hold stays. Settled again with the same amount, it answers the same.',
  params: holdParams,
  body: Closed({ amount: Amount('What the work came to; 0 or more.') }),
  answer: HoldAnswer,
  problems: [...holdRefusals, 'request.idempotency_conflict'],
})

export const releaseHold = contract({
  name: 'usage.holds.release',
  method: 'POST',
  path: `${provision}/usage/holds/{holdId}/release`,
  access: 'session',
  summary: 'Give a hold back',
  description: 'What was held is free again. Released again, it answers the same.',
  params: holdParams,
  answer: object<Released>({
    holdId: Uuid({ description: 'The hold.' }),
    released: { type: 'boolean', description: 'Always true.' },
    releasedAt: Instant('When it was released.'),
  }),
  problems: holdRefusals,
})
