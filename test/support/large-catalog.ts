import type { Snapshot } from '../../catalog-schema/snapshot.ts'

type Item = Record<string, unknown>

/** How many features and metrics each product of a large catalog has. */
const perProduct = { features: 20, metrics: 4 }

/** A catalog of about so many items, the same each time: products with attached features, metrics with tiers, plan sets with prices and values, add-ons and offers. */
export function largeCatalog(items: number): Snapshot {
  const count = Math.max(1, Math.round(items / (1 + perProduct.features + perProduct.metrics + 3)))
  const sections = {
    tags: [] as Item[],
    products: [] as Item[],
    featureCatalog: [] as Item[],
    monitoredAssets: [] as Item[],
    suites: [] as Item[],
    plans: [] as Item[],
    addOns: [] as Item[],
    entitlementOffers: [] as Item[],
  }
  for (const name of ['Desktop', 'Cloud', 'Beta']) sections.tags.push({ scope: 'Product', name, color: '#1a2b3c' })
  for (let index = 0; index < count; index++) addProduct(sections, index)
  return { formatVersion: '1.0', ...sections }
}

function addProduct(sections: Record<string, Item[]>, index: number): void {
  const product = { productCode: `ACME-${index}`, productVersion: '2.0' }
  const codes = Array.from({ length: perProduct.features }, (_, feature) => `FEATURE_${feature}`)
  sections.products!.push({
    ...product,
    name: `Acme product ${index}`,
    description: 'Draws, computes and exports. '.repeat(8),
    status: 'Published',
    tags: ['Cloud', 'Desktop'],
    applicationScopes: ['desktop', 'server'],
    productInformation: { displayVersion: '2.0', supportUrl: 'https://acme.example/support' },
    propertyValues: { colour: { key: 'colour', value: 'blue', metadata: [{ key: 'source', value: 'import' }] } },
    features: codes.slice(0, 8).map((featureCode, sortOrder) => ({
      featureCode,
      sortOrder,
      name: `Feature ${sortOrder}`,
      description: 'What the feature does for whoever has it.',
      featureType: 'Numeric',
      value: '3',
      isPaidFeature: true,
      includeInLicenseToken: true,
    })),
  })
  codes.forEach((featureCode, feature) => {
    sections.featureCatalog!.push({
      ...product,
      featureCode,
      name: `Feature ${feature} of product ${index}`,
      units: 'seats',
      featureType: feature % 5 === 0 ? 'Enumeration' : 'Numeric',
      lifecycleStatus: 'Published',
      visibility: 'Public',
      valueScore: 12.5,
      enumOptions: ['S', 'M', 'L'].map((value) => ({ value, description: `Size ${value}` })),
      tags: ['Headline'],
    })
  })
  for (let metric = 0; metric < perProduct.metrics; metric++)
    sections.monitoredAssets!.push({
      ...product,
      metricName: `metric-${metric}`,
      name: `Metric ${metric}`,
      unit: 'call',
      meteredUsage: {
        consumptionPeriod: 'Monthly',
        usageTiers: [
          { name: 'Included', startUsage: 0, endUsage: 1000, quotaUsageLevel: 'Normal', quotaUsagePolicy: 'None' },
          { name: 'Over', startUsage: 1000, quotaUsageLevel: 'OverUsage', quotaUsagePolicy: 'Deny' },
        ],
      },
    })
  const plans = ['Free', 'Team', 'Enterprise'].map((name, sortOrder) => ({
    name,
    sortOrder,
    description: `The plan for those who want ${name}.`,
    pricingMode: 'Absolute',
    monthlyPrice: sortOrder * 49,
    currency: 'EUR',
    lineItems: [
      {
        ...product,
        included: true,
        featureValues: codes.map((featureCode, feature) => ({
          featureCode,
          enforcementType: 'SingleValue',
          value: feature % 5 === 0 ? 'M' : '5',
        })),
      },
    ],
  }))
  sections.plans!.push({ suiteCode: `ACME-${index}@2.0`, name: 'Standard', status: 'Published', plans })
  sections.addOns!.push({
    suiteCode: `ACME-${index}@2.0`,
    code: `MORE-${index}`,
    name: 'More',
    status: 'Published',
    features: [{ ...product, featureCode: codes[1] }],
    featureValues: [{ featureCode: codes[1], value: '10', operation: 'Add', planTargets: ['Team'] }],
  })
  sections.entitlementOffers!.push({
    name: `Product ${index} for teams`,
    version: '1',
    licensePolicy: { licenseModel: 'Floating', maxDeviceActivations: 5, leaseTime: 'PT10M' },
    products: [{ ...product, features: [{ featureCode: codes[1], value: '7' }] }],
    assignedPlan: { suiteCode: `ACME-${index}@2.0`, planSetName: 'Standard', planName: 'Team' },
    tags: ['Self-service'],
  })
}
