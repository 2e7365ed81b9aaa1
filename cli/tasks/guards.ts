import { readKeyText } from '../../catalog-schema/key-text.ts'
import { pathSegment, readPathSegment } from '../../catalog-schema/member-names.ts'
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
type Rule = [
  guard: Guard,
  places: readonly string[],
  hurts?: (before: unknown, after: unknown, isNewFeature: IsNewFeature) => boolean,
]

/** Whether the feature whose value stands at a changed place, or below it, is new itself. */
type IsNewFeature = (below?: string) => boolean

const prices = ['monthlyPrice', 'currency', 'relativeWeight', 'pricingMode']
const given = ['value', 'enforcementType', 'metricName', 'usageTiers/**']
const givenByProduct = [
  'value',
  'featureType',
  'usageMetric',
  'meterAggregationType',
  'includeInLicenseToken',
  'isAvailableDuringTrialPeriod',
  'isAvailableDuringGracePeriod',
]
/** What an offer gives beside values; how codes are written gives nobody more or less. */
const policies = ['activationPolicy', 'licensePolicy', 'trialPolicy', 'anonymousTryPolicy', 'renewalPolicy']
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
type Member = Record<string, unknown>
/** A member that is new and takes something away by being there. */
const isNewAnd =
  (takesAway: (member: Member, isNewFeature: IsNewFeature) => boolean): Rule[2] =>
  (before, after, isNewFeature) =>
    before === null && typeof after === 'object' && after !== null && takesAway(after as Member, isNewFeature)
/** A value where none was said: of a feature that was there it takes the place of what else held. */
const takesPlace = ({ value, usageTiers }: Member, isNewFeature: IsNewFeature) =>
  ((value ?? null) !== null || (Array.isArray(usageTiers) && usageTiers.length > 0)) && !isNewFeature()
/** The same of a plan, which may also say that it has none of a feature, new or not. */
const ruled = (member: Member, isNewFeature: IsNewFeature) =>
  ['Denied', 'NotIncluded'].includes(String(member.enforcementType)) || takesPlace(member, isNewFeature)
/** A line of a plan that leaves its product out, or rules what was there. */
const rulingLine = ({ included, featureValues }: Member, isNewFeature: IsNewFeature) =>
  included === false ||
  ((featureValues ?? []) as Member[]).some((member) =>
    ruled(member, () => isNewFeature(`/featureValues/${pathSegment(String(member.featureCode))}`)),
  )

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
    ['revalue', below('/features/*', givenByProduct)],
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
    ['revalue', [lineItem], isNewAnd(rulingLine)],
    ['revalue', [`${lineItem}/featureValues/*`], isNewAnd(ruled)],
  ],
  addOn: [
    ['retire', ['/status'], stepTo('Retired')],
    ['revalue', below('/featureValues/*', ['value', 'operation', 'planTargets', 'usageTiers/**'])],
    ['revalue', ['/featureValues/*'], isNewAnd(takesPlace)],
  ],
  entitlementOffer: [
    ['retire', ['/status'], stepTo('Suspended', 'Cancelled', 'Expired')],
    ['retire', ['/expirationDateTime', '/products/*/features/*/featureExpiration'], endsSooner],
    ['retire', ['/products/*/features/*/isEnabled'], isSwitchedOff],
    ['retire', ['/products/*/features/*'], isNewAnd(({ isEnabled }) => isEnabled === false)],
    ['revalue', ['/products/*/features/*'], isNewAnd(takesPlace)],
    ['revalue', ['/products/*/features/*/value', '/assignedPlan', '/allowAnonymousTry', '/isEntitlementTrial']],
    ['revalue', policies.map((policy) => `/${policy}/**`)],
  ],
}

/** The changes of a report that need a guard each; what is created is nobody's yet and never needs one. */
export const guardedChanges = (report: Pick<CatalogReport, 'items'>): GuardedChange[] =>
  report.items.flatMap(guardedIn(report))

/** Tells which changes of an item of a report need a guard each. */
export function guardedIn({ items }: Pick<CatalogReport, 'items'>): (item: ReportItem) => GuardedChange[] {
  const isNewFeature = newFeaturesIn(items)
  return ({ kind, key, action, changes = [] }) =>
    action !== 'update'
      ? []
      : changes.flatMap((change) => {
          const guard = guardOf(kind, change, isNewFeature)
          return guard === undefined ? [] : [{ guard, key, ...change }]
        })
}

/** Tells of a path to a feature's value whether a report brings that feature; without a product in it, whether any product's of that code. */
function newFeaturesIn(items: readonly ReportItem[]): (path: string) => boolean {
  const products = new Set<string>()
  const features = new Map<string, Set<string>>()
  const add = (code: string, product: string) => void features.set(code, (features.get(code) ?? new Set()).add(product))
  for (const { kind, key, action, changes = [] } of items) {
    const [product = '', code = ''] = key
      .slice(key.indexOf(':') + 1)
      .split('/')
      .map(readKeyText)
    if (kind === 'feature' && action === 'create') add(code, product)
    if (kind !== 'product') continue
    if (action === 'create') products.add(product)
    for (const { path, before } of changes)
      if (isAt('/features/*', path) && before === null) add(readPathSegment(path.split('/').at(-1)!), product)
  }
  return (path) => {
    const segments = path.split('/').map(readPathSegment)
    const [product, , code] = segments.slice(-3) as [string, string, string]
    if (segments.length <= 3) return features.has(code)
    return products.has(product) || features.get(code)?.has(product) === true
  }
}

function guardOf(
  kind: string,
  { path, before, after }: NonNullable<ReportItem['changes']>[number],
  isNewFeature: (path: string) => boolean,
): Guard | undefined {
  const found = (Object.hasOwn(rules, kind) ? rules[kind as Kind] : []).find(
    ([, places, hurts]) =>
      places.some((place) => isAt(place, path)) &&
      (hurts === undefined || hurts(before, after, (below = '') => isNewFeature(path + below))),
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
