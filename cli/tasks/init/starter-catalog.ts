/** The files of a small catalog to begin with, by their names in the catalog directory; as "licet catalog format" writes them. */
export const starterCatalog: Record<string, string> = {
  'tags.yaml': `# yaml-language-server: $schema=.catalog.schema.json
# Labels for your own overview; customers never see them.
tags:
  - scope: Product
    name: Desktop
    color: '#1a7f37'
`,
  'products/acme-cad.yaml': `# yaml-language-server: $schema=../.catalog.schema.json
# One product, what it can do and what of it is counted. Hover over a field for its meaning,
# or ask: licet catalog explain product.status
products:
  - productCode: ACME-CAD
    productVersion: '2.0'
    name: Acme CAD
    description: Drawing and modelling for small teams.
    status: Published
    tags:
      - Desktop

# What plans give, limit or leave out. The type says what a value looks like.
featureCatalog:
  - productCode: ACME-CAD
    productVersion: '2.0'
    featureCode: EXPORT_STEP
    name: STEP export
    lifecycleStatus: Published

  - productCode: ACME-CAD
    productVersion: '2.0'
    featureCode: RENDER_MINUTES
    name: Cloud rendering
    units: minutes
    metricName: render-minutes # what the application reports usage under
    featureType: Metered
    lifecycleStatus: Published
    meterAggregationType: CumulativeCounter

  - productCode: ACME-CAD
    productVersion: '2.0'
    featureCode: SEATS
    name: Seats
    units: seats
    featureType: Numeric
    lifecycleStatus: Published

monitoredAssets:
  - productCode: ACME-CAD
    productVersion: '2.0'
    metricName: render-minutes
    name: Render minutes
    unit: minutes
    meteredUsage:
      usageTiers:
        - name: Included
          endUsage: 600
        - name: Used up
          startUsage: 600
          quotaUsageLevel: Critical
          quotaUsagePolicy: Deny
`,
  'suites/acme-cad.yaml': `# yaml-language-server: $schema=../.catalog.schema.json
# Plans are sold for a suite. Every product has one of its own, named like the product.
plans:
  - suiteCode: ACME-CAD@2.0
    name: Standard
    status: Published
    plans:
      - name: Free
        monthlyPrice: 0
        lineItems:
          - productCode: ACME-CAD
            productVersion: '2.0'
            featureValues:
              - featureCode: EXPORT_STEP
                value: 'false'
              - featureCode: SEATS
                value: '1'

      - name: Team
        sortOrder: 1
        monthlyPrice: 49 # left out or null is "not priced yet", never free
        currency: EUR
        lineItems:
          - productCode: ACME-CAD
            productVersion: '2.0'
            featureValues:
              - featureCode: EXPORT_STEP
                value: 'true'
              - featureCode: SEATS
                value: '5'
`,
  'offers/team-trial.yaml': `# yaml-language-server: $schema=../.catalog.schema.json
# What an entitlement is cloned from when somebody begins a trial.
entitlementOffers:
  - name: Team trial
    version: '1'
    status: Active
    isEntitlementTrial: true
    trialPolicy:
      duration: P30D
    products:
      - productCode: ACME-CAD
        productVersion: '2.0'
    assignedPlan:
      suiteCode: ACME-CAD@2.0
      planSetName: Standard
      planName: Team
`,
}
