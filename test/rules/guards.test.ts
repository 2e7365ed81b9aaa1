import { describe, expect, test } from 'vitest'
import { kinds } from '../../catalog-schema/order.ts'
import { compareSnapshots } from '../../cli/tasks/compare-files.ts'
import { joinPriceLists } from '../../cli/tasks/convert/joining.ts'
import { type Guard, guardedChanges } from '../../cli/tasks/guards.ts'
import { hasRealPriceLists, priceListsByService } from '../support/price-lists.ts'

const none = undefined
type Case = [kind: string, path: string, before: unknown, after: unknown, guard: Guard | undefined]

const line = '/plans/Pro/lineItems/CAD@2'
const cases: Case[] = [
  ['planSet', '/plans/Pro/monthlyPrice', 49, 59, 'price-change'],
  ['planSet', '/plans/Pro/monthlyPrice', 59, 49, 'price-change'],
  ['planSet', '/plans/Pro/monthlyPrice', null, 49, 'price-change'],
  ['planSet', '/plans/Pro/monthlyPrice', 49, null, 'price-change'],
  ['planSet', '/plans/A~1B/monthlyPrice', 1, 2, 'price-change'],
  ['planSet', '/plans/Pro/currency', 'EUR', 'USD', 'price-change'],
  ['planSet', '/plans/Pro/relativeWeight', 1, 2, 'price-change'],
  ['planSet', '/plans/Pro/pricingMode', 'Absolute', 'Relative', 'price-change'],
  ['planSet', '/plans/Pro', null, { name: 'Pro', monthlyPrice: 49 }, none],
  ['planSet', '/plans/Pro/description', 'a', 'b', none],
  ['planSet', '/plans/Pro/sortOrder', 0, 1, none],
  ['planSet', '/description', null, 'b', none],
  ['planSet', '/status', 'Draft', 'Published', none],
  ['planSet', '/status', 'Published', 'Retired', 'retire'],
  ['planSet', '/status', 'Draft', 'Retired', none],
  ['planSet', `${line}/included`, true, false, 'revalue'],
  ['planSet', line, null, { productCode: 'CAD', included: true }, none],
  ['planSet', line, null, { productCode: 'CAD', included: false }, 'revalue'],
  ['planSet', `${line}/featureValues/SEATS/value`, '3', '5', 'revalue'],
  ['planSet', `${line}/featureValues/value/value`, '3', '5', 'revalue'],
  ['planSet', `${line}/featureValues/SEATS/enforcementType`, 'SingleValue', 'Denied', 'revalue'],
  ['planSet', `${line}/featureValues/SEATS/metricName`, 'a', 'b', 'revalue'],
  ['planSet', `${line}/featureValues/SEATS/usageTiers/0/endUsage`, 10, 20, 'revalue'],
  ['planSet', `${line}/featureValues/SEATS/usageTiers/1`, null, { startUsage: 10 }, 'revalue'],
  ['planSet', `${line}/featureValues/SEATS/usageTiers/0/name`, 'a', 'b', none],
  ['planSet', `${line}/featureValues/SEATS`, null, { featureCode: 'SEATS', value: '3' }, 'revalue'],
  ['planSet', `${line}/featureValues/SEATS`, null, { featureCode: 'SEATS', value: null, usageTiers: [] }, none],
  ['planSet', `${line}/featureValues/SEATS`, null, { featureCode: 'S', usageTiers: [{ startUsage: 0 }] }, 'revalue'],
  ['planSet', `${line}/featureValues/SEATS`, null, { featureCode: 'SEATS', enforcementType: 'Denied' }, 'revalue'],
  ['planSet', `${line}/featureValues/SEATS`, null, { featureCode: 'S', enforcementType: 'NotIncluded' }, 'revalue'],
  ['product', '/status', 'Published', 'Retired', 'retire'],
  ['product', '/status', 'Draft', 'Retired', none],
  ['product', '/status', 'Draft', 'Published', none],
  ['product', '/expirationDate', null, '2027-01-01T00:00:00Z', 'retire'],
  ['product', '/expirationDate', '2028-01-01T00:00:00Z', '2027-01-01T00:00:00Z', 'retire'],
  ['product', '/expirationDate', '2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z', none],
  ['product', '/expirationDate', '2027-01-01T00:00:00Z', null, none],
  ['product', '/features/SEATS/value', '3', '5', 'revalue'],
  ['product', '/features/SEATS/featureType', 'Numeric', 'Text', 'revalue'],
  ['product', '/features/SEATS/usageMetric', 'a', 'b', 'revalue'],
  ['product', '/features/SEATS/isEnabled', true, false, 'retire'],
  ['product', '/features/SEATS/isEnabled', false, true, none],
  ['product', '/features/SEATS/isPaidFeature', false, true, 'price-change'],
  ['product', '/features/SEATS/isPaidFeature', true, false, none],
  ['product', '/features/SEATS/includeInLicenseToken', true, false, 'revalue'],
  ['product', '/features/SEATS/isAvailableDuringTrialPeriod', true, false, 'revalue'],
  ['product', '/features/SEATS/isAvailableDuringGracePeriod', true, false, 'revalue'],
  ['product', '/features/NEW', null, { featureCode: 'NEW', value: '3' }, none],
  ['product', '/features/SEATS/description', 'a', 'b', none],
  ['product', '/name', 'a', 'b', none],
  ['product', '/propertyValues/value/value', 'a', 'b', none],
  ['product', '/isLocked', false, true, none],
  ['product', '/isLocked', true, false, 'unlock'],
  ['feature', '/lifecycleStatus', 'Published', 'Disabled', 'retire'],
  ['feature', '/lifecycleStatus', 'Disabled', 'Archived', 'retire'],
  ['feature', '/lifecycleStatus', 'Preview', 'Disabled', 'retire'],
  ['feature', '/lifecycleStatus', 'Draft', 'Archived', none],
  ['feature', '/lifecycleStatus', 'Draft', 'Published', none],
  ['feature', '/lifecycleStatus', 'Disabled', 'Published', none],
  ['feature', '/featureType', 'Numeric', 'Text', 'revalue'],
  ['feature', '/metricName', 'a', 'b', 'revalue'],
  ['feature', '/valueScore', 1, 2, none],
  ['feature', '/enumOptions/XL', null, { value: 'XL' }, none],
  ['feature', '/tags', [], ['a'], none],
  ['monitoredAsset', '/metricType', 'CumulativeCounter', 'Other', 'revalue'],
  ['monitoredAsset', '/meteredUsage', null, { usageTiers: [] }, 'revalue'],
  ['monitoredAsset', '/meteredUsage', { usageTiers: [] }, null, 'revalue'],
  ['monitoredAsset', '/meteredUsage/consumptionPeriod', 'Monthly', 'Yearly', 'revalue'],
  ['monitoredAsset', '/meteredUsage/usageTiers/0/creditsPerUnitOfConsumption', 1, 2, 'revalue'],
  ['monitoredAsset', '/meteredUsage/usageTiers/0/quotaUsagePolicy', 'None', 'Deny', 'revalue'],
  ['monitoredAsset', '/meteredUsage/usageTiers/0/name', 'a', 'b', none],
  ['monitoredAsset', '/balanceUsage/initialCreditAmount', 10, 5, 'revalue'],
  ['monitoredAsset', '/balanceUsage/autoBalanceCreditAmount', null, 5, 'revalue'],
  ['monitoredAsset', '/balanceUsage/usageQuota/0/quotaUsageLevel', 'Normal', 'Critical', 'revalue'],
  ['monitoredAsset', '/balanceUsage/name', 'a', 'b', none],
  ['monitoredAsset', '/balanceUsage/unit', 'a', 'b', none],
  ['monitoredAsset', '/unit', 'a', 'b', none],
  ['addOn', '/status', 'Published', 'Retired', 'retire'],
  ['addOn', '/featureValues/SEATS/value', '10', '5', 'revalue'],
  ['addOn', '/featureValues/SEATS/operation', 'Add', 'Replace', 'revalue'],
  ['addOn', '/featureValues/SEATS/planTargets', [], ['Pro'], 'revalue'],
  ['addOn', '/featureValues/SEATS/usageTiers/0/endUsage', 1, 2, 'revalue'],
  ['addOn', '/featureValues/NEW', null, { featureCode: 'NEW' }, none],
  ['addOn', '/featureValues/SEATS', null, { featureCode: 'SEATS', operation: 'Replace', value: '1' }, 'revalue'],
  ['addOn', '/name', 'a', 'b', none],
  ['entitlementOffer', '/status', 'Active', 'Suspended', 'retire'],
  ['entitlementOffer', '/status', 'Suspended', 'Cancelled', 'retire'],
  ['entitlementOffer', '/status', 'Active', 'Expired', 'retire'],
  ['entitlementOffer', '/status', 'Draft', 'Cancelled', none],
  ['entitlementOffer', '/status', 'Suspended', 'Active', none],
  ['entitlementOffer', '/expirationDateTime', null, '2027-01-01T00:00:00Z', 'retire'],
  ['entitlementOffer', '/expirationDateTime', '2027-01-01T00:00:00Z', null, none],
  ['entitlementOffer', '/products/CAD/features/SEATS/featureExpiration', null, '2027-01-01T00:00:00Z', 'retire'],
  ['entitlementOffer', '/products/CAD/features/SEATS/isEnabled', true, false, 'retire'],
  ['entitlementOffer', '/products/CAD/features/SEATS', null, { isEnabled: false }, 'retire'],
  ['entitlementOffer', '/products/CAD/features/SEATS', null, { isEnabled: true, value: '3' }, 'revalue'],
  ['entitlementOffer', '/products/CAD/features/SEATS', null, { isEnabled: true, value: null }, none],
  ['entitlementOffer', '/products/CAD/features/SEATS/value', '3', '5', 'revalue'],
  ['entitlementOffer', '/products/CAD', null, { productCode: 'CAD' }, none],
  ['entitlementOffer', '/assignedPlan', null, { planName: 'Pro' }, 'revalue'],
  ['entitlementOffer', '/licensePolicy', null, { maxDeviceActivations: 3 }, 'revalue'],
  ['entitlementOffer', '/licensePolicy/maxDeviceActivations', 5, 3, 'revalue'],
  ['entitlementOffer', '/trialPolicy', { duration: 'P14D' }, null, 'revalue'],
  ['entitlementOffer', '/trialPolicy/duration', 'P14D', 'P7D', 'revalue'],
  ['entitlementOffer', '/trialPolicy/enabled', true, false, 'revalue'],
  ['entitlementOffer', '/anonymousTryPolicy/enabled', false, true, 'revalue'],
  ['entitlementOffer', '/renewalPolicy/period', 'Yearly', 'Monthly', 'revalue'],
  ['entitlementOffer', '/activationPolicy/requiredAuthenticationLevel', 'Default', 'MultiFactor', 'revalue'],
  ['entitlementOffer', '/activationPolicy/allowedIpCidr', [], ['192.0.2.0/24'], 'revalue'],
  ['entitlementOffer', '/keyIssuancePolicy/template', '{random:8}', '{random:9}', none],
  ['entitlementOffer', '/allowAnonymousTry', true, false, 'revalue'],
  ['entitlementOffer', '/isEntitlementTrial', false, true, 'revalue'],
  ['entitlementOffer', '/reference', 'a', 'b', none],
  ['suite', '/members/CAM', null, { productCode: 'CAM' }, none],
  ['suite', '/name', 'a', 'b', none],
  ['tag', '/color', null, '#ffffff', none],
  ['ratingCampaign', '/isEnabled', true, false, none],
  ['constructor', '/status', 'Published', 'Retired', none],
]

describe('a change in a protected environment', () => {
  test.each(cases)('of %s %s from %j to %j needs %s', (kind, path, before, after, guard) => {
    const change = { path, before, after }
    const item = { kind, key: 'key', action: 'update' as const, changes: [change], fingerprint: 'f' }
    const found = guardedChanges({ items: [item] })
    expect(found).toEqual(guard === undefined ? [] : [{ guard, key: 'key', ...change }])
    expect(guardedChanges({ items: [{ ...item, action: 'create' }] })).toEqual([])
  })

  test.each([
    ['planSet', '/plans/Pro/lineItems/CAD@2/featureValues/SEATS'],
    ['addOn', '/featureValues/SEATS'],
    ['entitlementOffer', '/products/CAD@2/features/SEATS'],
  ])('a value of %s for a feature that is new itself needs nothing', (kind, path) => {
    const fingerprint = 'f'
    const change = { path, before: null, after: { featureCode: 'SEATS', value: '3' } }
    const valued = { kind, key: 'key', action: 'update' as const, changes: [change], fingerprint }
    const guardsBeside = (beside: Record<string, unknown>) =>
      guardedChanges({ items: [{ fingerprint, ...beside } as typeof valued, valued] }).map(({ guard }) => guard)
    const ofProduct = (path: string, before: unknown = null) => ({
      ...{ kind: 'product', key: 'product:CAD@2', action: 'update' },
      changes: [{ path, before, after: { featureCode: 'SEATS' } }],
    })
    expect(guardsBeside({ kind: 'feature', key: 'feature:CAD@2/SEATS', action: 'create' })).toEqual([])
    expect(guardsBeside(ofProduct('/features/SEATS'))).toEqual([])
    expect(guardsBeside(ofProduct('/features/OTHER'))).toEqual(['revalue'])
    expect(guardsBeside(ofProduct('/features/SEATS/name', 'a'))).toEqual(['revalue'])
    expect(guardsBeside({ kind: 'feature', key: 'feature:CAD@2/SEATS', action: 'update', changes: [] })).toEqual([
      'revalue',
    ])
    const odd = {
      ...valued,
      changes: [{ ...change, path: path.replace('CAD@2', 'C~1D%@2').replace('SEATS', 'A~1B@') }],
    }
    const beside = { kind: 'feature', key: 'feature:C%2FD%25@2/A%2FB%40', action: 'create', fingerprint } as const
    expect(guardedChanges({ items: [beside, odd] })).toEqual([])
    expect(
      guardedChanges({ items: [beside, { ...odd, changes: [{ ...change, path: path.replace('SEATS', 'A') }] }] }),
    ).toHaveLength(1)
    if (kind === 'addOn') return
    expect(guardsBeside({ kind: 'product', key: 'product:CAD@2', action: 'create' })).toEqual([])
    expect(guardsBeside({ kind: 'feature', key: 'feature:CAM@2/SEATS', action: 'create' })).toEqual(['revalue'])
  })

  test('a new line of a plan needs what its values would need', () => {
    const guardsOf = (featureValues: object[], beside: object[] = []) => {
      const after = { productCode: 'CAD', included: true, featureValues }
      const changes = [{ path: '/plans/Pro/lineItems/CAD@2', before: null, after }]
      const items = [...beside, { kind: 'planSet', key: 'key', action: 'update', changes, fingerprint: 'f' }]
      return guardedChanges({ items } as Parameters<typeof guardedChanges>[0]).map(({ guard }) => guard)
    }
    const denied = { featureCode: 'B', enforcementType: 'Denied' }
    const valued = { featureCode: 'A/B', value: '5' }
    expect(guardsOf([])).toEqual([])
    expect(guardsOf([{ featureCode: 'B', enforcementType: 'Included' }])).toEqual([])
    for (const value of [denied, valued]) expect(guardsOf([value])).toEqual(['revalue'])
    const made = { kind: 'feature', key: 'feature:CAD@2/A%2FB', action: 'create', fingerprint: 'f' }
    expect(guardsOf([valued], [made])).toEqual([])
    expect(guardsOf([valued, denied], [made])).toEqual(['revalue'])
  })

  test('every kind is in the table', () => {
    for (const kind of kinds) expect(cases.some(([other]) => other === kind)).toBe(true)
  })
})

type Change = { path: string; before?: unknown; after?: unknown }
const valued =
  /\/(value|enforcementType|operation|planTargets|usageTiers\/.*|featureType|meterAggregationType|metricName)$/
const takesAway = ({ path, before, after }: Change) =>
  before === null &&
  path.includes('/featureValues/') &&
  /"enforcementType":"(Denied|NotIncluded)"/.test(JSON.stringify(after))

describe(`${hasRealPriceLists ? 'the real price lists' : 'an invented price list (../shared/pricings is absent)'}, from year to year`, () => {
  test.each(priceListsByService)(
    'every price and value of $service that changes is guarded, and nothing that is new',
    ({ files }) => {
      const options = { productCode: 'SERVICE' }
      for (const [index, file] of files.entries()) {
        if (index === 0) continue
        const before = joinPriceLists([files[index - 1]!], options).snapshot
        const report = compareSnapshots(before, joinPriceLists([file], options).snapshot)
        const guarded = guardedChanges(report)
        const pathsOf = (guard: Guard) => guarded.filter((one) => one.guard === guard).map(({ path }) => path)
        const changes = report.items.flatMap(({ action, changes = [] }) => (action === 'update' ? changes : []))
        const paths = (hurts: (change: Change) => boolean) => changes.filter(hurts).map(({ path }) => path)
        expect(pathsOf('price-change')).toEqual(paths(({ path }) => /\/(monthlyPrice|currency)$/.test(path)))
        const codes = report.items.filter(({ kind, action }) => kind === 'feature' && action === 'create')
        const isNew = ({ path }: Change) => codes.some(({ key }) => key.split('/')[1] === path.split('/').at(-1))
        // An add-on that also changes a feature which everybody had.
        const takesPlace = (change: Change) =>
          change.before === null && /^\/featureValues\/[^/]+$/.test(change.path) && !isNew(change)
        const hurts = (change: Change) => valued.test(change.path) || takesAway(change) || takesPlace(change)
        expect(pathsOf('revalue')).toEqual(paths(hurts))
        expect(pathsOf('retire')).toEqual([])
      }
    },
  )
})
