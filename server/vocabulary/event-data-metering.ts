import { quotaUsageLevels } from '../../catalog-schema/enumerations.ts'
import { Among, Amount, EventObject, Id, NullAmount, NullInstant, NullWords, Words } from './event-data-fields.ts'

/** What an event of a meter tells: which it is, and between which levels it went. */
const crossing = {
  entitlementId: Id('The id of the entitlement whose usage it is.'),
  monitoredAssetId: Id('The id of the meter: the monitored asset of that entitlement.'),
  productId: Id('The id of the product.'),
  metricName: Words('The name of the metric.'),
  previousLevel: Among(quotaUsageLevels, 'The level before.'),
  level: Among(quotaUsageLevels, 'The level from now on: the severity by which subscriptions are narrowed.'),
}

export const OverageStatusChangedData = EventObject({
  ...crossing,
  usage: Amount('What was used in the period.'),
  limit: NullAmount('The limit of the period; null without one.'),
  remaining: NullAmount('What is left up to the limit; null without one.'),
  tier: NullWords(
    'The name of the tier in which the usage is, of the last where it is past that; null of one without a name.',
  ),
  periodStart: NullInstant('When the period began; null for a Lifetime.'),
  periodEnd: NullInstant('When the period ends; null for a Lifetime.'),
})

export const BalanceStatusChangedData = EventObject({
  ...crossing,
  remaining: NullAmount(
    'The credits that are left, those that are held among them, by which the band is chosen; null when they are unlimited.',
  ),
  totalCredits: NullAmount('The credits there were since the last deposit; null when they are unlimited.'),
  band: NullWords('The name of the band in which the balance is; null outside any, or of one without a name.'),
})
