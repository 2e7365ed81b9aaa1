import { readPathSegment } from '../../catalog-schema/member-names.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import type { CatalogReport, ReportItem } from './catalog-report.ts'

/** What a change can do to those who have bought, or to a product that somebody locked: the kinds that a protected environment wants to be told of. */
export const guards = ['price-change', 'retire', 'revalue', 'unlock'] as const
export type Guard = (typeof guards)[number]

/** A change that needs a word of its own in a protected environment. */
export interface GuardedChange {
  guard: Guard
  key: string
  path: string
  before?: unknown
  after?: unknown
}

/** Which changes at a place need which guard: `*` in a path is any name, a final `**` everything at and below. */
type Rule = [guard: Guard, places: readonly string[], hurts?: (before: unknown, after: unknown) => boolean]

const prices = ['monthlyPrice', 'currency', 'relativeWeight', 'pricingMode']
const given = ['value', 'enforcementType', 'metricName', 'usageTiers/**']
const lineItem = '/plans/*/lineItems/*'
const balance = [
  'initialCreditAmount',
  'isUnlimitedCredits',
  'usageQuota/**',
  'autoBalanceCronSchedule',
  'shouldAutoBalanceTransferCurrentCredits',
  'maxAutoBalanceCreditTransferAmount',
  'autoBalanceCreditAmount',
]
const below = (place: string, fields: readonly string[]) => fields.map((field) => `${place}/${field}`)

const isSwitchedOff = (before: unknown, after: unknown) => before === true && after === false
const isSwitchedOn = (before: unknown, after: unknown) => before === false && after === true
/** A step out of what can be sold; what is still a draft never was. */
const stepTo =
  (...ends: string[]) =>
  (before: unknown, after: unknown) =>
    before !== 'Draft' && ends.includes(String(after))
/** An end where there was none, or an earlier one. */
const endsSooner = (before: unknown, after: unknown) =>
  typeof after === 'string' && (typeof before !== 'string' || Date.parse(after) < Date.parse(before))
/** A member that is new and takes something away by being there. */
const isNewAnd = (takesAway: (member: Record<string, unknown>) => boolean) => (before: unknown, after: unknown) =>
  before === null && typeof after === 'object' && after !== null && takesAway(after as Record<string, unknown>)

const rules: Record<Kind, readonly Rule[]> = {
  tag: [],
  suite: [],
  ratingCampaign: [],
  product: [
    ['retire', ['/status'], stepTo('Retired')],
    ['retire', ['/expirationDate'], endsSooner],
    ['retire', ['/features/*/isEnabled'], isSwitchedOff],
    ['unlock', ['/isLocked'], isSwitchedOff],
    ['price-change', ['/features/*/isPaidFeature'], isSwitchedOn],
    ['revalue', below('/features/*', ['value', 'featureType', 'usageMetric', 'meterAggregationType'])],
  ],
  feature: [
    ['retire', ['/lifecycleStatus'], stepTo('Disabled', 'Archived')],
    ['revalue', ['/featureType', '/metricName', '/meterAggregationType']],
  ],
  monitoredAsset: [
    ['revalue', ['/metricType', '/meteredUsage', '/balanceUsage']],
    ['revalue', below('/meteredUsage', ['consumptionPeriod', 'accumulationMethod', 'usageTiers/**'])],
    ['revalue', below('/balanceUsage', balance)],
  ],
  planSet: [
    ['retire', ['/status'], stepTo('Retired')],
    ['price-change', below('/plans/*', prices)],
    ['revalue', [`${lineItem}/included`, ...below(`${lineItem}/featureValues/*`, given)]],
    ['revalue', [lineItem], isNewAnd(({ included }) => included === false)],
    [
      'revalue',
      [`${lineItem}/featureValues/*`],
      isNewAnd(({ enforcementType }) => enforcementType === 'Denied' || enforcementType === 'NotIncluded'),
    ],
  ],
  addOn: [
    ['retire', ['/status'], stepTo('Retired')],
    ['revalue', below('/featureValues/*', ['value', 'operation', 'planTargets', 'usageTiers/**'])],
  ],
  entitlementOffer: [
    ['retire', ['/status'], stepTo('Suspended', 'Cancelled', 'Expired')],
    ['retire', ['/expirationDateTime', '/products/*/features/*/featureExpiration'], endsSooner],
    ['retire', ['/products/*/features/*/isEnabled'], isSwitchedOff],
    ['retire', ['/products/*/features/*'], isNewAnd(({ isEnabled }) => isEnabled === false)],
    ['revalue', ['/products/*/features/*/value', '/assignedPlan', '/licensePolicy/**']],
  ],
}

/** The changes of a report that need a guard each; what is created is nobody's yet and never needs one. */
export function guardedChanges({ items }: Pick<CatalogReport, 'items'>): GuardedChange[] {
  return items
    .filter(({ action }) => action === 'update')
    .flatMap(({ kind, key, changes = [] }) =>
      changes.flatMap((change) => {
        const guard = guardOf(kind, change)
        return guard === undefined ? [] : [{ guard, key, ...change }]
      }),
    )
}

function guardOf(kind: string, { path, before, after }: NonNullable<ReportItem['changes']>[number]): Guard | undefined {
  const found = (Object.hasOwn(rules, kind) ? rules[kind as Kind] : []).find(
    ([, places, hurts]) => places.some((place) => isAt(place, path)) && (hurts === undefined || hurts(before, after)),
  )
  return found?.[0]
}

/** Whether a path is at a place; the names of tiers and bands are for people, and no value. */
function isAt(place: string, path: string): boolean {
  const [wanted, found] = [place.split('/'), path.split('/')]
  const isWithin = wanted.at(-1) === '**'
  if (isWithin) wanted.pop()
  if (isWithin ? found.length < wanted.length : found.length !== wanted.length) return false
  if (isWithin && found.length > wanted.length && found.at(-1) === 'name') return false
  return wanted.every((segment, index) => segment === '*' || segment === readPathSegment(found[index]!))
}
