import { Type } from 'typebox'
import { quotaUsageLevels, quotaUsagePolicies } from '../../../catalog-schema/enumerations.ts'
import { NullInstant } from '../../kit/records/answers.ts'
import type { consumptionOf, usageOf } from './snapshot.ts'

type Shape = Record<string, unknown>

const text = (description: string): Shape => ({ type: 'string', description })
const textOrNull = (description: string): Shape => ({ type: ['string', 'null'], description })
const number = (description: string): Shape => ({ type: 'number', description })
const numberOrNull = (description: string): Shape => ({ type: ['number', 'null'], description })
const oneOf = (values: readonly string[], description: string): Shape => ({
  type: 'string',
  enum: [...values],
  description,
})

const metric = text('The metric.')
const unit = textOrNull('What 1 stands for.')
const limit = numberOrNull(
  'Past which usage nothing more is allowed; of a balance its total credits; null without one.',
)
const periodStart = NullInstant('Of metered usage: the period that it counts in, by the UTC calendar.')
const periodEnd = NullInstant('When the next period begins; null where usage never starts anew.')
const suspendedUntilAt = NullInstant('Until when nothing may be consumed.')

const usageFields = {
  metric,
  unit,
  usage: number('What is used of the period, late reports included; of a balance since the last deposit.'),
  limit,
  remaining: numberOrNull(
    'What is neither used nor held of the limit, and of a balance not what holds of other metrics may cost it; null without a limit.',
  ),
  periodStart,
  periodEnd,
  quotaUsageLevel: oneOf(quotaUsageLevels, 'The level of the tier, or band, in which usage stands.'),
  quotaUsagePolicy: oneOf(quotaUsagePolicies, 'The policy of that tier; Deny where usage is past the last.'),
  tier: textOrNull('The name of that tier, or band.'),
  tiers: { type: 'array', items: { type: 'object' }, description: 'The tiers as they apply, their bounds worked out.' },
  suspendedUntilAt,
}

/** How a meter stands, as usage of a limit (`usageOf`). */
export const UsageSnapshot = Type.Unsafe<ReturnType<typeof usageOf>>({
  type: 'object',
  properties: usageFields,
  required: Object.keys(usageFields),
  additionalProperties: false,
})

/** What `consumptionOf` says of a balance. */
export const balanceFields = {
  metric,
  unit,
  isUnlimitedCredits: { type: 'boolean', description: 'Whether there is no end to the balance.' },
  totalCredits: number('All credits since the last deposit, what remained at that time included.'),
  creditsUsed: number('What is used of them.'),
  remaining: numberOrNull('What is left; null without an end to it.'),
  cumulativeCreditsUsed: number('What was ever used.'),
  unfundedCredits: number('What was consumed and could not be paid, ever; a deposit does not reduce it.'),
  lastUnfundedAt: NullInstant('When the balance last could not pay.'),
  overageSeverityStatus: oneOf(quotaUsageLevels, 'The level of the band that the balance is in.'),
  band: textOrNull('The name of that band.'),
  suspendedUntilAt,
  lastDeposit: NullInstant('When credits were last added.'),
}

const meteredFields = {
  usage: number('Of metered usage: what is used of the period.'),
  limit,
  periodStart,
  periodEnd,
}

/** What is left of a meter (`consumptionOf`): the credits of a balance; of metered usage what its limit leaves. */
export const ConsumptionSnapshot = Type.Unsafe<ReturnType<typeof consumptionOf>>({
  type: 'object',
  properties: { ...balanceFields, ...meteredFields },
  required: ['metric', 'unit', 'remaining', 'suspendedUntilAt'],
  additionalProperties: false,
})
