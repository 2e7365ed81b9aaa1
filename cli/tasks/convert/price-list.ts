import { formatVersion, type Snapshot } from '../../../catalog-schema/snapshot.ts'
import { readAddOns } from './add-ons.ts'
import { readAmount, valueText } from './amounts.ts'
import { type DeclaredFeature, featureValueText } from './declared-feature.ts'
import { readDeclared } from './features.ts'
import type { Findings, Remark } from './findings.ts'
import { claimCodes, codeOf } from './names.ts'
import { type OriginOf, originsIn } from './origins.ts'
import { findPeriod } from './periods.ts'
import { Place, type Written } from './place.ts'
import { readPlans } from './plans.ts'
import { readCurrency } from './prices.ts'
import { tiersAt } from './tiers.ts'

/** The name of the one plan set that the plans of a price list make. */
const planSetName = 'Plans'

/** What a price list comes to: a catalog of one product, and what was noticed on the way. */
export interface ConvertedPriceList extends Findings {
  productCode: string
  snapshot: Snapshot
  originOf: OriginOf
}

/**
 * The catalog that a Pricing2Yaml price list describes (mapping: README.md beside this file). `value` is the file as
 * read; with errors the snapshot is not to be used. `productCode` stands in for the one made of the saasName;
 * `spellings` tell how numbers and booleans are written where they stand for text, `keysInOrder` in what order names are.
 */
export function convertPriceList(value: unknown, options: { productCode?: string } & Written = {}): ConvertedPriceList {
  const findings: Findings = { errors: [], warnings: [] }
  const priceList = new Place(value, findings, options)
  const name = readName(priceList)
  const productCode = options.productCode ?? codeOf(name)
  const currency = readCurrency(priceList)
  const version = readVersion(priceList)
  leaveOutTheRest(priceList)

  const declared = readDeclared(priceList, claimCodes())
  const plans = readPlans(priceList, productCode, declared, currency)
  const addOns = readAddOns(priceList, productCode, declared)
  if (priceList.field('currency').isEmpty && plans.some((plan) => (plan.monthlyPrice ?? 0) > 0))
    priceList.refuse('"currency" is missing: a plan with a price needs an ISO 4217 code such as EUR')
  const all = [...declared.features.values(), ...declared.limits.values()]
  const hasTags = !priceList.field('tags').isEmpty || all.some((feature) => feature.tag !== null)
  warnOfUnusedTags(priceList, all)

  const snapshot: Snapshot = {
    formatVersion,
    products: [
      {
        productCode,
        name,
        productInformation: {
          displayVersion: version,
          revisionInformation: priceList.field('createdAt').text(),
          informationUrl: priceList.field('url').text(),
        },
        features: all.map(productFeature),
      },
    ],
    featureCatalog: all.map((feature) => catalogFeature(productCode, feature, hasTags)),
    monitoredAssets: all.filter(({ meter }) => meter).map((limit) => monitoredAsset(productCode, limit)),
    plans: plans.length === 0 ? [] : [{ suiteCode: productCode, name: planSetName, plans }],
    addOns,
  }
  return {
    errors: distinct(findings.errors),
    warnings: distinct(findings.warnings),
    productCode,
    snapshot,
    originOf: originsIn(priceList, all),
  }
}

/** Each remark once: a default value is read for every plan that has none of its own. */
const distinct = (remarks: Remark[]) => [
  ...new Map(remarks.map((remark) => [`${remark.pointer} ${remark.message}`, remark])).values(),
]

function readName(priceList: Place): string {
  const place = priceList.field('saasName')
  const name = place.text()?.trim() ?? ''
  if (name === '' && place.value === undefined)
    priceList.refuse('"saasName" is missing: this is no Pricing2Yaml price list, or its service has no name')
  else if (codeOf(name) === '') place.refuse('"saasName" must have a letter or a digit: the product code is made of it')
  return name
}

/** Versions of the format whose own number stands in `version`; since 2.1 that is the price list's. */
const formerSyntax = ['1.0', '1.1', '2.0']
const knownSyntax = [...formerSyntax, '2.1', '3.0', '3.1']

/** The version of the price list, where it says one; a warning for a version of the format that is not known. */
function readVersion(priceList: Place): string | null {
  const [stated, version] = [priceList.field('syntaxVersion'), priceList.field('version')]
  const syntax = valueText(stated) ?? ''
  if (!stated.isEmpty && !knownSyntax.includes(syntax))
    stated.warn(`"${syntax}" is not among ${knownSyntax.join(', ')}: what it changed in the format is not known`)
  const text = version.text()
  return stated.isEmpty && formerSyntax.includes(text ?? '') ? null : text
}

function leaveOutTheRest(priceList: Place): void {
  const read = ['saasName', 'version', 'createdAt', 'currency', 'url', 'features', 'usageLimits', 'plans', 'addOns']
  priceList.leaveOutAllBut(...read, 'syntaxVersion', 'tags', 'billing')
  for (const [period, factor] of priceList.field('billing').members())
    if (factor.value !== 1) {
      const effect = findPeriod(period) === 'Monthly' ? ', and prices are taken as they stand' : ''
      factor.warn(`the factor of the billing period "${period}" has no place in a catalog: left out${effect}`)
    }
}

function warnOfUnusedTags(priceList: Place, all: DeclaredFeature[]): void {
  const used = new Set(all.map(({ tag }) => tag?.toLowerCase()))
  for (const [name, place] of priceList.field('tags').texts())
    if (!used.has(name.toLowerCase())) place.warn(`no feature carries the tag "${name}": left out`)
}

function productFeature(feature: DeclaredFeature) {
  const { featureCode, name, moduleName, featureType, description, defaultValue, units, meter } = feature
  return {
    featureCode,
    moduleName,
    name,
    ...(description === undefined ? {} : { description }),
    ...(units === undefined ? {} : { usageMetric: meter?.metricName ?? null, units }),
    featureType,
    value: featureValueText(feature, defaultValue),
  }
}

function catalogFeature(productCode: string, feature: DeclaredFeature, hasTags: boolean) {
  const { featureCode, name, featureType, units, meter, tag } = feature
  return {
    productCode,
    featureCode,
    name,
    ...(units === undefined ? {} : { units, metricName: meter?.metricName ?? null }),
    featureType,
    ...(hasTags ? { tags: tag === null ? [] : [tag] } : {}),
  }
}

function monitoredAsset(productCode: string, limit: DeclaredFeature) {
  const { name, description, units, meter, defaultValue } = limit
  const amount = readAmount(defaultValue.value)
  return {
    productCode,
    metricName: meter?.metricName,
    name,
    ...(description === undefined ? {} : { description }),
    unit: units ?? null,
    meteredUsage: {
      consumptionPeriod: meter?.period,
      usageTiers: amount === undefined || amount < 0 ? [] : tiersAt(amount),
    },
  }
}
