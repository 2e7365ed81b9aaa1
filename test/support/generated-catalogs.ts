import fc from 'fast-check'
import { implicitSuiteCode, type ProductName } from '../../catalog-schema/keys.ts'
import { memberIdentity } from '../../catalog-schema/member-names.ts'
import { itemSchemas, type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { foldTagName } from '../../catalog-schema/tag-names.ts'
import { arbitraryOf } from './schema-arbitraries.ts'

type Item = Record<string, unknown>
type Raw = Record<Kind, Item[]>

/** Any items of each kind, each of sound shape; nothing fits together yet. */
const rawItems: fc.Arbitrary<{ raw: Raw; picks: number[] }> = fc.record({
  raw: fc.record(
    Object.fromEntries(
      kinds.map((kind) => [
        kind,
        fc.array(arbitraryOf(itemSchemas[kind]) as fc.Arbitrary<Item>, {
          minLength: kind === 'product' ? 1 : 0,
          maxLength: 3,
        }),
      ]),
    ) as Record<Kind, fc.Arbitrary<Item[]>>,
  ),
  picks: fc.array(fc.nat(1000), { minLength: 5, maxLength: 40 }),
})

/** The organization groups that their offers name; an environment that takes them has these. */
export const groupsOfCatalogs = ['Partners', 'A/B@C% 🎉']

/**
 * Whole catalogs as people write them, that an environment with nothing but these groups accepts: every kind and field, hostile
 * names, products with and without versions, own suites and written ones, nested lists, tiers, tags in odd casing, numbers as text.
 */
export const generatedCatalogs = (): fc.Arbitrary<Snapshot> =>
  rawItems.map(({ raw, picks }) => fitTogether(structuredClone(raw), picker(picks)))

type Pick = <T>(from: readonly T[]) => T

/** Picks members by the given numbers, over and over. */
function picker(numbers: readonly number[]): Pick {
  let next = 0
  return (from) => from[numbers[next++ % numbers.length]! % from.length]!
}

function unique(items: readonly Item[], identity: (item: Item) => string): Item[] {
  const seen = new Set<string>()
  return items.filter((item) => !seen.has(identity(item)) && seen.add(identity(item)))
}

const nameOf = (product: Item): ProductName => ({
  productCode: product.productCode as string,
  ...(product.productVersion === undefined ? {} : { productVersion: product.productVersion as string | null }),
})
const listIn = (item: Item, field: string) => (Array.isArray(item[field]) ? (item[field] as Item[]) : [])

/** Makes items name one another and keep the rules of the catalog. */
function fitTogether(raw: Raw, pick: Pick): Snapshot {
  const products = unique(raw.product, (item) => implicitSuiteCode(nameOf(item)))
  products.forEach((product, index) => {
    const parent = index > 0 && product.parentProductCode ? nameOf(pick(products.slice(0, index))) : undefined
    product.parentProductCode = parent?.productCode ?? null
    product.parentProductVersion = parent?.productVersion ?? null
    for (const feature of listIn(product, 'features')) {
      soundMetric(feature, 'usageMetric')
      soundValue(feature, feature, pick)
    }
  })

  const ofProduct = (items: Item[], code: string) => {
    for (const item of items) {
      delete item.productVersion
      Object.assign(item, nameOf(pick(products)))
    }
    return unique(items, (item) => memberIdentity(['productCode', 'productVersion', code], item))
  }
  const features = ofProduct(raw.feature, 'featureCode')
  for (const feature of features) soundMetric(feature, 'metricName')
  for (const metric of raw.monitoredAsset) {
    metric.metricName = String(metric.metricName).toLowerCase()
    if (metric.meteredUsage && metric.balanceUsage) metric.balanceUsage = null
    if (metric.meteredUsage) soundTiers(metric.meteredUsage as Item)
    const balance = metric.balanceUsage as Item | null | undefined
    if (balance?.autoBalanceCronSchedule) balance.autoBalanceCronSchedule = '0 3 * * 1'
  }
  const metrics = ofProduct(raw.monitoredAsset, 'metricName')

  const ownCodes = new Set(products.map((product) => implicitSuiteCode(nameOf(product))))
  const suites = unique(raw.suite, (item) => String(item.code)).filter((suite) => !ownCodes.has(String(suite.code)))
  for (const suite of suites) {
    const members = listIn(suite, 'members').map((member) => withProduct(member, pick(products)))
    suite.members = unique(members, (member) => memberIdentity(['productCode', 'productVersion'], member))
  }
  const membersOf = new Map<string, Item[]>(suites.map((suite) => [String(suite.code), suite.members as Item[]]))
  for (const product of products) membersOf.set(implicitSuiteCode(nameOf(product)), [product])
  const codes = [...membersOf.keys()]

  const featuresOf = (product: Item): Item[] => {
    const identity = memberIdentity(['productCode', 'productVersion'], product)
    const of = (item: Item) => memberIdentity(['productCode', 'productVersion'], item) === identity
    const attached = listIn(products.find(of) ?? {}, 'features')
    const entries = features.filter(of)
    return [...entries, ...attached.filter((one) => !entries.some((entry) => entry.featureCode === one.featureCode))]
  }
  const soundValues = (values: Item[], known: Item[]) => {
    if (known.length === 0) return []
    const sound = values.map((value) => {
      const feature = pick(known)
      soundMetric(value, 'metricName', String(feature.featureCode))
      soundTiers(value)
      soundValue(feature, value, pick)
      return { ...value, featureCode: feature.featureCode }
    })
    return unique(sound, (value) => String(value.featureCode))
  }

  for (const set of raw.planSet) {
    set.suiteCode = pick(codes)
    const members = membersOf.get(String(set.suiteCode))!
    const mode = pick(['Absolute', 'Relative', undefined])
    for (const plan of listIn(set, 'plans')) {
      soundPrice(plan, mode)
      if (!Array.isArray(plan.lineItems)) continue
      const lines =
        members.length === 0 ? [] : (plan.lineItems as Item[]).map((line) => withProduct(line, pick(members)))
      plan.lineItems = unique(lines, (line) => memberIdentity(['productCode', 'productVersion'], line)).map((line) => {
        const featureValues = soundValues(listIn(line, 'featureValues'), featuresOf(line))
        if (members.length > 1 || pick([true, false])) return { ...line, featureValues }
        const { productCode: _sole, productVersion: _version, ...unnamed } = line
        return { ...unnamed, featureValues }
      })
    }
  }
  const planSets = unique(raw.planSet, (set) => memberIdentity(['suiteCode', 'name'], set))

  for (const addOn of raw.addOn) {
    addOn.suiteCode = pick(codes)
    const members = membersOf.get(String(addOn.suiteCode))!
    const known = members.flatMap((member) => featuresOf(member).map((feature) => ({ member, feature })))
    const spoken = known.length === 0 ? [] : listIn(addOn, 'features').map(() => pick(known))
    addOn.features = unique(
      spoken.map(({ member, feature }) => ({ ...nameOf(member), featureCode: feature.featureCode })),
      (entry) => memberIdentity(['productCode', 'productVersion', 'featureCode'], entry),
    )
    const values = listIn(addOn, 'featureValues').map(({ metricName: _none, ...value }) => ({
      ...value,
      operation: 'Add',
    }))
    addOn.featureValues = soundValues(
      values,
      known.map(({ feature }) => feature),
    ).map(({ metricName: _none, ...value }) => value)
  }

  for (const offer of raw.entitlementOffer) {
    const lines = listIn(offer, 'products').map((line) => withProduct(line, pick(products)))
    offer.products = unique(lines, (line) => memberIdentity(['productCode', 'productVersion'], line)).map((line) => {
      const values = soundValues(listIn(line, 'features'), featuresOf(line))
      return { ...line, features: values.map(({ metricName: _none, usageTiers: _tiers, ...value }) => value) }
    })
    const set = planSets.length > 0 && offer.assignedPlan ? pick(planSets) : undefined
    const plans = set ? listIn(set, 'plans') : []
    offer.assignedPlan =
      set && plans.length > 0 ? { planName: pick(plans).name, suiteCode: set.suiteCode, planSetName: set.name } : null
    // Ends of any catalog come after beginnings of any other, which one may be imported into; 2096 has a 29 February, too.
    if (typeof offer.expirationDateTime === 'string')
      offer.expirationDateTime = offer.expirationDateTime.replace(/^\d{4}/, '2096')
    const activation = offer.activationPolicy as Item | null | undefined
    if (activation?.allowedIpCidr) activation.allowedIpCidr = ['10.0.0.0/8', '2001:db8::/32']
    if (activation?.requireOrganizationGroupMember) activation.requireOrganizationGroupMember = pick(groupsOfCatalogs)
    const issuance = offer.keyIssuancePolicy as Item | null | undefined
    if (issuance) {
      if (issuance.template) issuance.template = 'K-{random:5}-{seq:3}-{check}'
      if (issuance.alphabet === 'Custom') issuance.customAlphabet = 'ABCDEF'
    }
  }

  for (const campaign of raw.ratingCampaign) {
    const targets = features.length === 0 ? [] : listIn(campaign, 'targets')
    campaign.targets = unique(
      targets.map((target) => {
        const { productVersion: _version, ...asked } = target
        const feature = pick(features)
        return { ...asked, ...nameOf(feature), featureCode: feature.featureCode }
      }),
      (target) => memberIdentity(['productCode', 'productVersion', 'featureCode'], target),
    )
    if (typeof campaign.endsAt === 'string') campaign.endsAt = campaign.endsAt.replace(/^\d{4}/, '2096')
  }

  const sections: Raw = {
    tag: unique(raw.tag, (tag) => `${String(tag.scope)} ${foldTagName(String(tag.name))}`),
    product: products,
    feature: features,
    monitoredAsset: metrics,
    suite: suites,
    planSet: planSets,
    addOn: unique(raw.addOn, (addOn) => String(addOn.code)),
    entitlementOffer: unique(raw.entitlementOffer, (offer) => memberIdentity(['name', 'version'], offer)),
    ratingCampaign: unique(raw.ratingCampaign, (campaign) => String(campaign.name)),
  }
  return {
    formatVersion: '1.0',
    ...(Object.fromEntries(kinds.map((kind) => [sectionOf[kind], sections[kind]])) as object),
  }
}

const withProduct = (item: Item, product: Item): Item => {
  const { productVersion: _version, ...rest } = item
  return { ...rest, ...nameOf(product) }
}

function soundMetric(item: Item, field: string, featureCode = String(item.featureCode)): void {
  if (typeof item[field] !== 'string') return
  const lower = item[field].toLowerCase()
  item[field] = lower === featureCode ? `${lower}-count` : lower
}

/** An Enumeration feature is given one of its options. */
function soundValue(feature: Item, holder: Item, pick: Pick): void {
  const options = listIn(feature, 'enumOptions')
  if (feature.featureType === 'Enumeration' && options.length > 0 && typeof (holder.value ?? undefined) !== 'undefined')
    holder.value = pick(options).value
}

function soundTiers(holder: Item): void {
  for (const tier of listIn(holder, 'usageTiers')) {
    for (const [start, end] of [
      ['startUsage', 'endUsage'],
      ['startPercentage', 'endPercentage'],
    ] as const)
      if (tier[end] !== undefined && tier[end] !== null && Number(tier[end]) <= Number(tier[start] ?? 0))
        tier[end] = Number(tier[start] ?? 0) + 1
    if (typeof tier.fundingBalanceMetric === 'string')
      tier.fundingBalanceMetric = tier.fundingBalanceMetric.toLowerCase()
  }
}

function soundPrice(plan: Item, mode: string | undefined): void {
  if (mode === undefined) delete plan.pricingMode
  else plan.pricingMode = mode
  if (mode === 'Relative') {
    plan.monthlyPrice = null
    plan.currency = null
  } else {
    delete plan.relativeWeight
    if (Number(plan.monthlyPrice ?? 0) > 0) plan.currency = 'EUR'
  }
}
