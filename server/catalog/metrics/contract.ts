import { type TProperties, Type } from 'typebox'
import { quotaUsageLevels } from '../../../catalog-schema/enumerations.ts'
import { balanceUsageFields, meteredUsageFields, metricFields } from '../../../catalog-schema/metric.ts'
import { OneOf, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed, type FullOf } from '../../../catalog-schema/shapes.ts'
import { collectionContracts } from '../../kit/collection.ts'
import { NullId, NullInstant, recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { commonFilterFields, filterFieldsOf, storedFields } from '../../kit/records/columns.ts'
import { tagFilterField } from '../records/tagging.ts'

/** The fields of a monitored asset's definition that a request writes. */
export const metricBodyFields = {
  productId: Uuid({ description: 'The product that is metered; fixed at creation.' }),
  ...metricFields,
}

/** The fields that a request clears, by what says so. */
export const metricClears = {
  clearMeteredUsage: 'meteredUsage',
  clearBalanceUsage: 'balanceUsage',
  clearAllowedBackDatingTolerance: 'allowedBackDatingTolerance',
  clearMaxAutoBalanceCreditTransferAmount: 'balanceUsage.maxAutoBalanceCreditTransferAmount',
} as const

const credits = (description: string) => Type.Unsafe<number>({ type: 'number', description })
const suspendedUntilAt = NullInstant('Consumption is suspended until then.')

const meteredUsageAnswer = {
  ...recordId,
  ...meteredUsageFields,
  suspendedUntilAt,
  lastReportedOverageSeverityStatus: OneOf(quotaUsageLevels),
}

const balanceUsageAnswer = {
  ...recordId,
  ...balanceUsageFields,
  creditsUsed: credits('Consumed since the last deposit.'),
  totalCredits: credits('Available in all; what remains is this less creditsUsed.'),
  cumulativeCreditsUsed: credits('Consumed since ever.'),
  unfundedCredits: credits('What the balance was asked to pay for and could not; a top-up does not reduce it.'),
  lastUnfundedAt: NullInstant('When the balance last could not pay.'),
  lastDeposit: NullInstant('When credits were last added.'),
  suspendedUntilAt,
  overageSeverityStatus: OneOf(quotaUsageLevels),
  lastAutoBalanceDate: NullInstant('When credits were last added by the schedule.'),
}

const orNone = <P extends TProperties>(properties: P) =>
  Type.Unsafe<FullOf<P> | null>({ type: ['object', 'null'], properties, required: Object.keys(properties) })

/** A monitored asset as it is answered. One of the catalog belongs to no entitlement, and nothing of it is used. */
export const MetricRecord = Closed({
  ...recordId,
  entitlementId: NullId('The entitlement that meters with it; null for one of the catalog.'),
  ...metricBodyFields,
  meteredUsageId: NullId('The id of its metered usage.'),
  balanceUsageId: NullId('The id of its balance.'),
  meteredUsage: orNone(meteredUsageAnswer),
  balanceUsage: orNone(balanceUsageAnswer),
  ...recordTail,
})

const idField = (name: string, column: string) => ({ name, column, nullable: true, type: 'uuid' as const })

export const metricFilterFields = [
  ...commonFilterFields('metrics'),
  idField('entitlementId', 'metrics.entitlement_id'),
  ...filterFieldsOf('metrics', storedFields(metricBodyFields)),
  idField('meteredUsageId', 'metrics.metered_usage_id'),
  idField('balanceUsageId', 'metrics.balance_usage_id'),
  tagFilterField('metrics'),
]

export const metricContracts = collectionContracts({
  name: 'admin.monitoredAssets',
  noun: 'monitored asset',
  plural: 'monitored assets',
  path: 'admin/monitored-assets',
  scope: 'monitored-assets',
  record: MetricRecord,
  create: bodyOf(metricBodyFields, ['productId', 'metricName', 'name']),
  update: bodyOf(metricBodyFields, [], metricClears),
  replace: bodyOf(metricBodyFields, ['name'], metricClears),
  filterable: metricFilterFields.map(({ name }) => name),
  notSortable: ['tags'],
  editProblems: ['catalog.in_use'],
  deleteProblems: ['catalog.in_use'],
})
