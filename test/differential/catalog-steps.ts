import type { Draw } from './draw.ts'
import type { Known } from './known.ts'
import { collection, onOne, type StepKind, stepKind } from './steps.ts'
import {
  amount,
  balanceName,
  duration,
  featureCode,
  featureValue,
  instant,
  meterName,
  tags,
  text,
  usageTiers,
  word,
} from './values.ts'

const product = (draw: Draw, known: Known) => ({
  productCode: draw.oneOf(['CAD', 'cad', 'CAM', 'RENDER', 'ÜNI', 'A/B', 'X@2']),
  productVersion: draw.oneOf([undefined, null, '1', '2.0', '10', '9']),
  name: word(draw),
  description: draw.maybe(0.3, () => text(draw)),
  status: draw.maybe(0.2, () => draw.oneOf(['Draft', 'Published', 'Retired'])),
  externalId: draw.maybe(0.2, () => word(draw)),
  expirationDate: draw.maybe(0.2, () => instant(draw, known)),
  isLocked: draw.maybe(0.03, () => true),
  productMetaData: draw.maybe(0.1, () => text(draw)),
  productInformation: draw.maybe(0.2, () => ({ displayVersion: text(draw), supportUrl: 'https://support.example' })),
  propertyValues: draw.maybe(0.2, () => ({
    [word(draw)]: { value: text(draw), metadata: [{ key: word(draw), value: text(draw) }] },
  })),
  applicationScopes: draw.maybe(0.2, () => draw.several(2, () => word(draw))),
  tags: draw.maybe(0.5, () => tags(draw)),
  features: draw.maybe(0.6, () => draw.several(3, () => productFeature(draw))),
  parentProductId: draw.maybe(0.1, () => known.id('admin.products')),
})

const productFeature = (draw: Draw) => ({
  featureCode: featureCode(draw),
  name: word(draw),
  featureType: draw.maybe(0.5, () => draw.oneOf(featureTypes)),
  usageMetric: draw.maybe(0.2, () => meterName(draw)),
  value: featureValue(draw),
  isEnabled: draw.maybe(0.3, () => draw.chance(0.7)),
  includeInLicenseToken: draw.maybe(0.5, () => draw.chance(0.7)),
  isAvailableDuringTrialPeriod: draw.maybe(0.2, () => draw.chance(0.5)),
  isAvailableDuringGracePeriod: draw.maybe(0.2, () => draw.chance(0.5)),
  canModifyValueOnEntitlement: draw.maybe(0.4, () => draw.chance(0.7)),
  sortOrder: draw.maybe(0.3, () => draw.below(4)),
})

const featureTypes = ['Boolean', 'Numeric', 'Text', 'Enumeration', 'Metered', 'JsonField'] as const

const feature = (draw: Draw, known: Known) => {
  const productId = known.id('admin.products')
  if (productId === undefined) return undefined
  const featureType = draw.oneOf(featureTypes)
  return {
    productId,
    featureCode: featureCode(draw),
    name: word(draw),
    units: draw.maybe(0.2, () => text(draw)),
    metricName: featureType === 'Metered' ? meterName(draw) : draw.maybe(0.05, () => 'calls'),
    featureType,
    lifecycleStatus: draw.maybe(0.3, () => draw.oneOf(['Draft', 'Preview', 'Published', 'Disabled', 'Archived'])),
    visibility: draw.maybe(0.3, () => draw.oneOf(['Public', 'Internal'])),
    meterAggregationType: draw.maybe(0.2, () => 'CumulativeCounter'),
    valueScore: draw.maybe(0.4, () => amount(draw)),
    enumOptions:
      featureType === 'Enumeration' ? [{ value: 'small' }, { value: 'large', description: text(draw) }] : undefined,
    tags: draw.maybe(0.4, () => tags(draw)),
  }
}

const balanceUsage = (draw: Draw) => ({
  description: draw.maybe(0.2, () => text(draw)),
  initialCreditAmount: draw.maybe(0.8, () => draw.oneOf([0, 10, 100, '50.5', 1000])),
  isUnlimitedCredits: draw.maybe(0.1, () => true),
  usageQuota: draw.maybe(0.4, () => [
    { endUsage: draw.oneOf([5, 20]), name: 'low', quotaUsageLevel: draw.oneOf(['Warning', 'Critical']) },
    { endUsage: 50, quotaUsageLevel: 'Normal' },
  ]),
  autoBalanceCronSchedule: draw.maybe(0.4, () =>
    draw.oneOf(['0 0 * * *', '30 6 1 * *', '0 */6 * * 1-5', '0 0 29 2 *']),
  ),
  shouldAutoBalanceTransferCurrentCredits: draw.maybe(0.5, () => draw.chance(0.5)),
  maxAutoBalanceCreditTransferAmount: draw.maybe(0.3, () => amount(draw)),
  autoBalanceCreditAmount: draw.maybe(0.6, () => amount(draw)),
})

const metric = (draw: Draw, known: Known) => {
  const productId = known.id('admin.products')
  if (productId === undefined) return undefined
  const isBalance = draw.chance(0.45)
  return {
    productId,
    metricName: isBalance ? balanceName(draw) : meterName(draw),
    name: word(draw),
    unit: draw.maybe(0.3, () => text(draw)),
    category: draw.maybe(0.3, () => word(draw)),
    allowedBackDatingTolerance: draw.maybe(0.3, () => duration(draw)),
    tags: draw.maybe(0.2, () => tags(draw)),
    ...(isBalance
      ? { balanceUsage: balanceUsage(draw) }
      : {
          meteredUsage: draw.maybe(0.9, () => ({
            consumptionPeriod: draw.maybe(0.8, () =>
              draw.oneOf(['Hourly', 'Daily', 'Weekly', 'Monthly', 'Quarterly', 'Yearly', 'Lifetime']),
            ),
            accumulationMethod: draw.maybe(0.6, () => draw.oneOf(['Sliced', 'Volume'])),
            usageTiers: draw.maybe(0.8, () => usageTiers(draw)),
          })),
        }),
  }
}

const suite = (draw: Draw, known: Known) => ({
  code: draw.oneOf(['DESIGN', 'design', 'OFFICE', 'Ä-SUITE', 'CAD']),
  name: word(draw),
  description: draw.maybe(0.3, () => text(draw)),
  members: draw.maybe(0.8, () =>
    draw.several(3, () => ({ productId: known.id('admin.products'), sortOrder: draw.maybe(0.6, () => draw.below(4)) })),
  ),
})

/** The owner of a plan set or an add-on, and the products that it can speak of. */
function ownerOf(draw: Draw, known: Known) {
  const owner = draw.chance(0.5) ? known.one('admin.suites') : undefined
  if (owner)
    return { owner: { suiteId: owner.id }, products: owner.members.map((one: { productId: string }) => one.productId) }
  const productId = known.id('admin.products')
  return productId === undefined ? undefined : { owner: { productId }, products: [productId] }
}

/** Values for features, mostly one for each. */
const apart = <T extends { featureCode: string }>(draw: Draw, values: T[]): T[] =>
  values.filter(
    ({ featureCode }, index) =>
      draw.chance(0.03) || values.findIndex((one) => one.featureCode === featureCode) === index,
  )

/** A feature's code of a product, rather one that it has. */
const codeIn = (draw: Draw, known: Known, productId: string) =>
  known.value('admin.featureCatalog', 'featureCode', (one) => one.productId === productId) ?? featureCode(draw)

const planFeature = (draw: Draw, known: Known, productId: string) => {
  const enforcementType = draw.oneOf([
    undefined,
    'SingleValue',
    'SingleValue',
    'TieredAbsolute',
    'TieredPercentage',
    'Denied',
    'NotIncluded',
  ])
  const tiers = usageTiers(draw)
  return {
    featureCode: codeIn(draw, known, productId),
    metricName: draw.maybe(0.1, () => meterName(draw)),
    enforcementType,
    value: draw.maybe(0.8, () => featureValue(draw)),
    usageTiers:
      enforcementType === 'TieredAbsolute'
        ? tiers
        : enforcementType === 'TieredPercentage'
          ? tiers.map(({ startUsage, endUsage, ...one }) => ({
              ...one,
              startPercentage: startUsage,
              endPercentage: endUsage,
            }))
          : undefined,
  }
}

const planSet = (draw: Draw, known: Known) => {
  const found = ownerOf(draw, known)
  if (!found) return undefined
  const pricingMode = draw.oneOf(['Absolute', 'Relative'])
  const plan = (name: string) => ({
    name,
    description: draw.maybe(0.2, () => text(draw)),
    sortOrder: draw.maybe(0.4, () => draw.below(4)),
    pricingMode: draw.chance(0.03) ? 'Relative' : pricingMode,
    ...(pricingMode === 'Absolute'
      ? { monthlyPrice: draw.oneOf([null, 0, 49, '19.99']), currency: draw.oneOf(['EUR', 'EUR', 'USD', null]) }
      : { relativeWeight: draw.oneOf([null, 0, 1, 2.5, '0.1']) }),
    lineItems: draw.maybe(0.9, () =>
      found.products.map((productId: string) => ({
        productId,
        included: draw.maybe(0.5, () => draw.chance(0.8)),
        featureValues: draw.maybe(0.8, () =>
          apart(
            draw,
            draw.several(3, () => planFeature(draw, known, productId)),
          ),
        ),
      })),
    ),
  })
  return {
    ...found.owner,
    name: draw.oneOf(['Standard', 'standard', 'Team', 'Ältere']),
    description: draw.maybe(0.2, () => text(draw)),
    status: draw.maybe(0.4, () => draw.oneOf(['Draft', 'Published', 'Published', 'Retired'])),
    plans: draw.maybe(0.95, () => ['Pro', 'Free', 'pro', 'Über'].slice(0, 1 + draw.below(4)).map(plan)),
  }
}

const addOn = (draw: Draw, known: Known) => {
  const found = ownerOf(draw, known)
  if (!found) return undefined
  return {
    ...found.owner,
    code: draw.oneOf(['RENDER-PACK', 'render-pack', 'MORE', 'Ü-PACK']),
    name: word(draw),
    status: draw.maybe(0.5, () => draw.oneOf(['Draft', 'Published', 'Published', 'Retired'])),
    featureValues: draw.maybe(0.9, () =>
      apart(
        draw,
        draw.several(2, () => ({
          featureCode: codeIn(draw, known, draw.oneOf(found.products) ?? ''),
          value: draw.maybe(0.8, () => featureValue(draw)),
          usageTiers: draw.maybe(0.2, () => usageTiers(draw)),
          planTargets: draw.maybe(0.4, () => draw.several(2, () => draw.oneOf(['Pro', 'Free', 'pro']))),
          operation: draw.maybe(0.7, () => draw.oneOf(['Replace', 'Add', 'Max'])),
        })),
      ),
    ),
  }
}

const tag = (draw: Draw) => ({
  scope: draw.oneOf(['Product', 'FeatureCatalog', 'Entitlement']),
  name: draw.oneOf(['beta', 'BETA', 'core', 'Çore', 'ΣΑΣ', 'σας', 'new', 'ẞ', 'ß']),
  color: draw.oneOf([undefined, null, '', '#1a2b3c', '#FFFFFF']),
})

const catalogKinds = [
  'admin.products',
  'admin.featureCatalog',
  'admin.monitoredAssets',
  'admin.suites',
  'admin.planSets',
  'admin.addOns',
]

export const catalogSteps: StepKind[] = [
  ...collection('admin.products', 6, product),
  ...collection('admin.featureCatalog', 8, feature),
  ...collection('admin.monitoredAssets', 12, metric),
  ...collection('admin.suites', 3, suite),
  ...collection('admin.planSets', 6, planSet),
  ...collection('admin.addOns', 4, addOn),
  ...collection('admin.tags', 3, tag),
  ...['admin.products', 'admin.planSets', 'admin.addOns'].flatMap((kind) => [
    onOne(`${kind}.publish`, 1.5, undefined, { isOne: ({ status }) => status === 'Draft' }),
    onOne(`${kind}.retire`, 0.2, undefined, { isOne: ({ status }) => status === 'Published' }),
  ]),
  onOne('admin.products.lock', 0.3),
  onOne('admin.products.unlock', 0.6, undefined, { isOne: ({ isLocked }) => isLocked }),
  ...Object.entries({ preview: 'Draft', publish: 'Preview', disable: 'Published', archive: 'Disabled' }).map(
    ([deed, before]) =>
      onOne(`admin.featureCatalog.${deed}`, 0.5, undefined, {
        isOne: ({ lifecycleStatus }) => lifecycleStatus === before,
      }),
  ),
  stepKind('admin.tags.merge', 1, (_, known) => {
    const merged = known.one('admin.tags')
    const into = known.id('admin.tags', ({ scope, id }) => scope === merged.scope && id !== merged.id)
    return merged && into && { id: merged.id, intoTagId: into }
  }),
  // A record as it was read comes back as a whole.
  ...catalogKinds.map((kind) =>
    stepKind(`${kind}.replace`, 0.3, (_, known) => {
      const record = known.one(kind)
      return record && { ...record }
    }),
  ),
]
