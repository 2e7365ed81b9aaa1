import { describe, expect, test } from 'vitest'
import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import { checkItem } from '../../catalog-schema/rules/items.ts'
import { isReachable, isStep } from '../../catalog-schema/rules/lifecycle.ts'

const around = new CatalogModel()
const cad = { productCode: 'CAD', productVersion: '2' }
around.add(
  'product',
  canonicalItem('product', { ...cad, name: 'CAD', features: [{ featureCode: 'ATTACHED', featureType: 'Boolean' }] }),
)
around.add('monitoredAsset', canonicalItem('monitoredAsset', { ...cad, metricName: 'calls', name: 'Calls' }))
around.add('monitoredAsset', canonicalItem('monitoredAsset', { ...cad, metricName: 'credits', balanceUsage: {} }))
for (const [featureCode, featureType] of [
  ['SIZE', 'Enumeration'],
  ['SEATS', 'Numeric'],
  ['SSO', 'Boolean'],
  ['RULES', 'JsonField'],
  ['CALLS', 'Metered'],
] as const)
  around.add(
    'feature',
    canonicalItem('feature', {
      ...cad,
      featureCode,
      featureType,
      name: featureCode,
      enumOptions: featureType === 'Enumeration' ? [{ value: 'S' }, { value: 'M' }] : [],
    }),
  )

const judge = (kind: Kind, item: object) => {
  const { breaches, cautions } = checkItem(kind, canonicalItem(kind, item), around)
  return [
    ...breaches.map(({ path, message }) => `${path}: ${message}`),
    ...cautions.map(({ code, path }) => `(${code}) ${path}`),
  ]
}
const plans = (...list: object[]) => ({ suiteCode: 'CAD@2', name: 'S', plans: list })
const values = (...featureValues: object[]) => plans({ name: 'P', lineItems: [{ ...cad, featureValues }] })
const at = '/plans/P/lineItems/CAD@2/featureValues'

describe('the plans of a set', () => {
  test.each<[string, object[], string[]]>([
    [
      'may all be Absolute',
      [{ name: 'a', monthlyPrice: 0 }, { name: 'b', monthlyPrice: 5, currency: 'EUR' }, { name: 'c' }],
      [],
    ],
    [
      'may all be Relative',
      [
        { name: 'a', pricingMode: 'Relative', relativeWeight: 0 },
        { name: 'b', pricingMode: 'Relative' },
      ],
      [],
    ],
    [
      'share one pricing mode',
      [{ name: 'a' }, { name: 'b/c', pricingMode: 'Relative' }],
      ['/plans/b~1c/pricingMode: every plan of a set shares one pricingMode: "a" is Absolute'],
    ],
    [
      'have no weight when they are Absolute',
      [{ name: 'a', relativeWeight: 0 }],
      ['/plans/a/relativeWeight: an Absolute plan has no relativeWeight: null clears it'],
    ],
    [
      'have no price when they are Relative',
      [{ name: 'a', pricingMode: 'Relative', monthlyPrice: 0 }],
      ['/plans/a/monthlyPrice: a Relative plan has no monthlyPrice: null clears it'],
    ],
    [
      'have no currency when they are Relative',
      [{ name: 'a', pricingMode: 'Relative', currency: 'EUR' }],
      ['/plans/a/currency: a Relative plan has no currency: null clears it'],
    ],
    [
      'name a currency that there is',
      ['', 'EURO', 'QQQ', 'XTS', 'eur'].map((currency) => ({ name: `in ${currency}`, monthlyPrice: 5, currency })),
      ['', 'EURO', 'QQQ', 'XTS', 'eur'].map(
        (currency) => `/plans/in ${currency}/currency: must be an ISO 4217 code such as EUR`,
      ),
    ],
    [
      'name any that ISO 4217 has: in use, a unit of account, a metal',
      ['VED', 'CLF', 'XAU'].map((currency) => ({ name: `in ${currency}`, monthlyPrice: 5, currency })),
      [],
    ],
    [
      'carry any currency where there is no price',
      [
        { name: 'free', monthlyPrice: 0, currency: 'eur' },
        { name: 'not priced', currency: 'EURO' },
        { name: 'none', monthlyPrice: null, currency: '' },
      ],
      [],
    ],
    [
      'name the currency of a positive price',
      [{ name: 'a', monthlyPrice: 0.01 }],
      ['/plans/a/currency: a positive monthlyPrice needs a currency (ISO 4217)'],
    ],
    ['may name a currency without a price', [{ name: 'a', currency: 'EUR' }], []],
  ])('%s', (_what, list, findings) => {
    expect(judge('planSet', plans(...list))).toEqual(findings)
  })
})

describe('a value', () => {
  test.each<[string, object, string[]]>([
    [
      'of an Enumeration is one of its options',
      { featureCode: 'SIZE', value: 'XL' },
      [`${at}/SIZE/value: must be one of S, M`],
    ],
    ['may be an option', { featureCode: 'SIZE', value: 'M' }, []],
    ['may be none', { featureCode: 'SIZE' }, []],
    [
      'that is no number is doubtful for a Numeric feature',
      { featureCode: 'SEATS', value: 'many' },
      [`(value_type) ${at}/SEATS/value`],
    ],
    [
      'that is no number is doubtful for a Metered feature',
      { featureCode: 'CALLS', value: '1,000' },
      [`(value_type) ${at}/CALLS/value`],
    ],
    ['without limit is fine for a Metered feature', { featureCode: 'CALLS', value: 'Infinity' }, []],
    [
      'that is neither true nor false is doubtful for a Boolean feature',
      { featureCode: 'SSO', value: 'yes' },
      [`(value_type) ${at}/SSO/value`],
    ],
    [
      'that is no JSON is doubtful for a JsonField feature',
      { featureCode: 'RULES', value: '{' },
      [`(value_type) ${at}/RULES/value`],
    ],
    [
      'is measured against an attached feature too',
      { featureCode: 'ATTACHED', value: '1' },
      [`(value_type) ${at}/ATTACHED/value`],
    ],
    ['without limit is fine for a Numeric feature', { featureCode: 'SEATS', value: 'Infinity' }, []],
    ['may be written with an exponent', { featureCode: 'SEATS', value: 1e-9 }, []],
    [
      'that is no finite number nor without limit is doubtful',
      { featureCode: 'SEATS', value: '-Infinity' },
      [`(value_type) ${at}/SEATS/value`],
    ],
  ])('%s', (_what, value, findings) => {
    expect(judge('planSet', values(value))).toEqual(findings)
  })

  test('of an attached feature is measured by the type that the feature catalog says', () => {
    const attached = (featureCode: string, value: string) => ({ ...cad, features: [{ featureCode, value }] })
    expect(judge('product', attached('SEATS', '3'))).toEqual([])
    expect(judge('product', attached('SEATS', 'true'))).toEqual(['(value_type) /features/SEATS/value'])
    expect(judge('product', attached('UNKNOWN', '3'))).toEqual(['(value_type) /features/UNKNOWN/value'])
  })

  test('of a long Enumeration is answered with its first options', () => {
    const options = Array.from({ length: 5000 }, (_, index) => ({ value: `v${index}` }))
    const [finding] = judge('product', {
      ...cad,
      name: 'x',
      features: [{ featureCode: 'F', featureType: 'Enumeration', enumOptions: options, value: 'no' }],
    })
    expect(finding).toMatch(/v19, …$/)
  })

  test.each<[Kind, object, string]>([
    [
      'addOn',
      { suiteCode: 'CAD@2', code: 'X', featureValues: [{ featureCode: 'SIZE', value: 'XL' }] },
      '/featureValues/SIZE/value: must be one of S, M',
    ],
    [
      'entitlementOffer',
      { name: 'O', products: [{ ...cad, features: [{ featureCode: 'SIZE', value: 'XL' }] }] },
      '/products/CAD@2/features/SIZE/value: must be one of S, M',
    ],
    [
      'product',
      {
        ...cad,
        name: 'x',
        features: [{ featureCode: 'F', featureType: 'Enumeration', enumOptions: [{ value: 'a' }], value: 'b' }],
      },
      '/features/F/value: must be one of a',
    ],
  ])('is held to its options in a %s', (kind, item, finding) => {
    expect(judge(kind, item)).toEqual([finding])
  })

  test.each(['Add', 'Max'])('deserves a second look where an add-on with %s has no number', (operation) => {
    const add = (value: string) =>
      judge('addOn', { suiteCode: 'CAD@2', code: 'X', featureValues: [{ featureCode: 'SEATS', value, operation }] })
    expect([add('5'), add('Infinity'), add('five')]).toEqual([[], [], ['(value_type) /featureValues/SEATS/value']])
  })

  test('that an add-on adds is no option', () => {
    expect(
      judge('addOn', {
        suiteCode: 'CAD@2',
        code: 'X',
        featureValues: [{ featureCode: 'SIZE', value: '1', operation: 'Add' }],
      }),
    ).toEqual([])
  })
})

describe('a metric name', () => {
  test.each<[string, Kind, object, string[]]>([
    [
      'is lowercase',
      'monitoredAsset',
      { ...cad, metricName: 'Calls', name: 'x' },
      ['/metricName: a metric name is lowercase: "calls", not "Calls"'],
    ],
    ['may hold digits and marks', 'monitoredAsset', { ...cad, metricName: 'calls/min 2', name: 'x' }, []],
    [
      'is lowercase where a feature quotes it',
      'feature',
      { ...cad, featureCode: 'F', name: 'F', metricName: 'CALLS' },
      ['/metricName: a metric name is lowercase: "calls", not "CALLS"'],
    ],
    [
      'differs from the feature code',
      'feature',
      { ...cad, featureCode: 'calls', name: 'F', metricName: 'calls' },
      ['/metricName: the metric name differs from the feature code'],
    ],
    ['is none when it is empty', 'planSet', values({ featureCode: 'SEATS', metricName: '' }), []],
    ['is fine when something meters it', 'feature', { ...cad, featureCode: 'F', name: 'F', metricName: 'calls' }, []],
    [
      'is doubtful when nothing meters it',
      'feature',
      { ...cad, featureCode: 'F', name: 'F', metricName: 'other' },
      ['(metric_not_monitored) /metricName'],
    ],
    [
      'is lowercase on an attached feature',
      'product',
      { ...cad, name: 'x', features: [{ featureCode: 'F', usageMetric: 'F' }] },
      ['/features/F/usageMetric: a metric name is lowercase: "f", not "F"'],
    ],
    [
      'is lowercase in a plan',
      'planSet',
      values({ featureCode: 'SEATS', metricName: 'SEATS' }),
      [`${at}/SEATS/metricName: a metric name is lowercase: "seats", not "SEATS"`],
    ],
    [
      'is doubtful in a plan when nothing meters it',
      'planSet',
      values({ featureCode: 'SEATS', metricName: 'other' }),
      [`(metric_not_monitored) ${at}/SEATS/metricName`],
    ],
  ])('%s', (_what, kind, item, findings) => {
    expect(judge(kind, item)).toEqual(findings)
  })
})

describe('a tier', () => {
  const tiers = (...usageTiers: object[]) => ({ ...cad, metricName: 'm', name: 'm', meteredUsage: { usageTiers } })
  const here = '/meteredUsage/usageTiers'
  test.each<[string, object, string[]]>([
    ['may be without end', { startUsage: 5 }, []],
    ['ends after it starts', { startUsage: 5, endUsage: 5 }, [`${here}/0/endUsage: a tier ends after it starts`]],
    ['that starts nowhere starts at 0', { endUsage: 0 }, [`${here}/0/endUsage: a tier ends after it starts`]],
    [
      'ends after it starts in percentages too',
      { startPercentage: 80, endPercentage: 20 },
      [`${here}/0/endPercentage: a tier ends after it starts`],
    ],
    [
      'names a balance where overage is charged',
      { quotaUsagePolicy: 'AllowWithOverage', fundingBalanceMetric: 'credits' },
      [],
    ],
    [
      'names a balance that no product has',
      { quotaUsagePolicy: 'AllowWithOverage', fundingBalanceMetric: 'calls' },
      [`(funding_balance_unknown) ${here}/0/fundingBalanceMetric`],
    ],
    [
      'names a balance in vain elsewhere',
      { quotaUsagePolicy: 'Deny', fundingBalanceMetric: 'credits' },
      [`(funding_not_charged) ${here}/0/fundingBalanceMetric`],
    ],
    [
      'names a balance by a metric name',
      { quotaUsagePolicy: 'AllowWithOverage', fundingBalanceMetric: 'Credits' },
      [`${here}/0/fundingBalanceMetric: a metric name is lowercase: "credits", not "Credits"`],
    ],
  ])('%s', (_what, tier, findings) => {
    expect(judge('monitoredAsset', tiers(tier))).toEqual(findings)
  })
})

test('a monitored asset is metered by tiers or by a balance, not by both', () => {
  expect(judge('monitoredAsset', { ...cad, metricName: 'm', name: 'm', meteredUsage: {}, balanceUsage: {} })).toEqual([
    '/balanceUsage: a monitored asset is metered by tiers or by a balance, not by both',
  ])
})

describe('an offer', () => {
  test.each<[string, object, string[]]>([
    [
      'lets devices in from sound networks',
      { activationPolicy: { allowedIpCidr: ['10.0.0.0/8', '10.0.0.0/33'] } },
      ['/activationPolicy/allowedIpCidr/1: the number after the slash is 0 to 32'],
    ],
    [
      'writes codes by a sound template',
      { keyIssuancePolicy: { template: '{rnd:5}' } },
      ['/keyIssuancePolicy/template: {rnd:5} is none of {random:N}, {seq:N}, {year}, {productCode}, {check}'],
    ],
    [
      'ends after it begins',
      { notValidBeforeDateTime: '2027-01-01T01:00:00+01:00', expirationDateTime: '2027-01-01T00:00:00Z' },
      ['/expirationDateTime: must be after notValidBeforeDateTime'],
    ],
    [
      'may begin and end within a second',
      { notValidBeforeDateTime: '2027-01-01T00:00:00Z', expirationDateTime: '2027-01-01T00:00:00.001Z' },
      [],
    ],
    [
      'has letters in an alphabet of its own',
      { keyIssuancePolicy: { alphabet: 'Custom' } },
      ['/keyIssuancePolicy/customAlphabet: an alphabet has two characters or more'],
    ],
    [
      'has each letter once',
      { keyIssuancePolicy: { alphabet: 'Custom', customAlphabet: 'ABA' } },
      ['/keyIssuancePolicy/customAlphabet: an alphabet has each character once, whatever its letter case'],
    ],
    ...['abA', 'xσΣ', 'iİ'].map((customAlphabet): [string, object, string[]] => [
      `has each letter once, whatever its case: ${customAlphabet}`,
      { keyIssuancePolicy: { alphabet: 'Custom', customAlphabet } },
      ['/keyIssuancePolicy/customAlphabet: an alphabet has each character once, whatever its letter case'],
    ]),
    [
      'needs a policy for those without an account',
      { allowAnonymousTry: true },
      ['(anonymous_try_without_policy) /allowAnonymousTry'],
    ],
    ['that may be tried has one', { allowAnonymousTry: true, anonymousTryPolicy: {} }, []],
    [
      'takes a group on trust where nobody knows which there are',
      { activationPolicy: { requireOrganizationGroupMember: 'Partners' } },
      [],
    ],
  ])('%s', (_what, fields, findings) => {
    expect(judge('entitlementOffer', { name: 'O', ...fields })).toEqual(findings)
  })
})

describe('a lifecycle', () => {
  test.each<[Kind, string, string, boolean, boolean]>([
    ['product', 'Draft', 'Published', true, true],
    ['product', 'Draft', 'Retired', false, true],
    ['product', 'Retired', 'Published', false, false],
    ['planSet', 'Published', 'Draft', false, false],
    ['addOn', 'Published', 'Retired', true, true],
    ['feature', 'Draft', 'Published', true, true],
    ['feature', 'Published', 'Disabled', true, true],
    ['feature', 'Disabled', 'Published', true, true],
    ['feature', 'Published', 'Archived', false, true],
    ['feature', 'Archived', 'Published', false, false],
    ['feature', 'Published', 'Preview', false, false],
    ['entitlementOffer', 'Active', 'Suspended', true, true],
    ['entitlementOffer', 'Draft', 'Cancelled', true, true],
    ['entitlementOffer', 'Expired', 'Cancelled', true, true],
    ['entitlementOffer', 'Cancelled', 'Active', false, false],
  ])('of a %s: from %s to %s in one step %s, in an import %s', (kind, from, to, step, reachable) => {
    expect(isStep(kind, from, to)).toBe(step)
    expect(isReachable(kind, from, to)).toBe(reachable)
  })

  test.each<[Kind, string]>([
    ['product', 'Retired'],
    ['tag', 'anything'],
  ])('of a %s lets it stay as it is', (kind, status) => {
    expect(isReachable(kind, status, status)).toBe(true)
  })
})
