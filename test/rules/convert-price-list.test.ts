import { describe, expect, test } from 'vitest'
import { convertPriceList } from '../../cli/tasks/convert/price-list.ts'
import { boolean, convert, type Fields, limit, minimal, only, planValues } from '../support/price-list-parts.ts'

describe('the product', () => {
  test('is named after the service, its version and date are what customers are told', () => {
    const { snapshot, productCode, warnings } = convert({ createdAt: '2026-01-31', url: 'https://acme.example' })
    expect(productCode).toBe('ACME_CAD')
    expect(only(snapshot.products)).toMatchObject({
      productCode: 'ACME_CAD',
      name: 'Acme Cad',
      productInformation: {
        displayVersion: '2026',
        revisionInformation: '2026-01-31',
        informationUrl: 'https://acme.example',
      },
    })
    expect(warnings).toEqual([])
  })

  test.each([
    [{ version: '1.0' }, null],
    [{ version: 1.1 }, null],
    [{ version: '2.0' }, null],
    [{ version: '2.1' }, '2.1'],
    [{ version: '2.0', syntaxVersion: '2.1' }, '2.0'],
    [{ version: '2024' }, '2024'],
  ])('of %j has the display version %j: formerly that of the format stood there', (fields, displayVersion) => {
    const { snapshot, warnings } = convert(fields)
    expect(only(snapshot.products).productInformation).toMatchObject({ displayVersion })
    expect(warnings).toEqual([])
  })

  test('keeps the code it is given when its service was renamed', () => {
    const { snapshot } = convertPriceList(
      { ...minimal, plans: { PRO: { price: 1 } }, addOns: { extra: {} } },
      { productCode: 'CAD' },
    )
    expect(only(snapshot.products).productCode).toBe('CAD')
    expect(only(snapshot.plans).suiteCode).toBe('CAD')
    expect(only(snapshot.addOns)).toMatchObject({ suiteCode: 'CAD', code: 'CAD_EXTRA', name: 'extra' })
  })

  test('carries every feature with its description, default and type', () => {
    const { snapshot } = convert({ features: { auditLogAPI: { ...boolean, description: 'Who did what.' } } })
    expect(only(only(snapshot.products).features)).toEqual({
      featureCode: 'AUDIT_LOG_API',
      moduleName: 'DOMAIN',
      name: 'Audit log API',
      description: 'Who did what.',
      featureType: 'Boolean',
      value: 'false',
    })
    expect(only(snapshot.featureCatalog)).toEqual({
      productCode: 'ACME_CAD',
      featureCode: 'AUDIT_LOG_API',
      name: 'Audit log API',
      featureType: 'Boolean',
    })
  })

  test('says nothing of a description that is absent, and null of an empty one', () => {
    const { snapshot } = convert({ features: { a: boolean, b: { ...boolean, description: '' } } })
    const [a, b] = only(snapshot.products).features as Fields[]
    expect(Object.hasOwn(a!, 'description')).toBe(false)
    expect(b!.description).toBeNull()
  })
})

describe('features', () => {
  test.each([
    ['BOOLEAN', true, 'Boolean', 'true'],
    ['boolean', 'false', 'Boolean', 'false'],
    ['NUMERIC', 40, 'Numeric', '40'],
    ['NUMERIC', '9.5', 'Numeric', '9.5'],
    ['NUMERIC', Number.POSITIVE_INFINITY, 'Numeric', 'Infinity'],
    ['TEXT', 'Standard', 'Text', 'Standard'],
    ['TEXT', ['CARD', 'INVOICE'], 'Text', 'CARD, INVOICE'],
    [undefined, true, 'Boolean', 'true'],
    [undefined, 3, 'Numeric', '3'],
    [undefined, 'x', 'Text', 'x'],
    [null, undefined, 'Text', null],
  ])('valueType %s with the default %j is %s "%s"', (valueType, defaultValue, featureType, value) => {
    const { snapshot, errors, warnings } = convert({ features: { a: { valueType, defaultValue } } })
    expect(only(only(snapshot.products).features)).toMatchObject({ featureType, value })
    expect([...errors, ...warnings]).toEqual([])
  })

  test('carry their tag as a tag of the feature catalog; a tag that none carries is left out', () => {
    const { snapshot, warnings } = convert({
      tags: ['Charts', 'Unused'],
      features: { a: { ...boolean, tag: 'Charts' }, b: boolean },
    })
    expect((snapshot.featureCatalog as Fields[]).map(({ tags }) => tags)).toEqual([['Charts'], []])
    expect(warnings.map(({ pointer }) => pointer)).toEqual(['/tags/1'])
  })

  test('a value that does not fit its type is kept as it stands, with one warning', () => {
    const { snapshot, warnings } = convert({
      features: { a: { ...boolean, defaultValue: 'sometimes' } },
      plans: { FREE: {}, PRO: {} },
    })
    expect(planValues(snapshot, 'PRO').A).toMatchObject({ value: 'sometimes' })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatchObject({ pointer: '/features/a/defaultValue' })
  })
})

describe('usage limits', () => {
  test('RENEWABLE is a Metered feature, a monitored asset and tiers at each plan’s limit', () => {
    const { snapshot, warnings } = convert({
      usageLimits: { actionsQuota: limit({ type: 'RENEWABLE', unit: 'minute/month', description: 'Minutes.' }) },
      plans: {
        FREE: null,
        PRO: { usageLimits: { actionsQuota: { value: 50 } } },
        OPEN: { usageLimits: { actionsQuota: { value: Number.POSITIVE_INFINITY } } },
        NONE: { usageLimits: { actionsQuota: { value: 0 } } },
      },
    })
    expect(only(snapshot.monitoredAssets)).toEqual({
      productCode: 'ACME_CAD',
      metricName: 'actions-quota',
      name: 'Actions quota',
      description: 'Minutes.',
      unit: 'minute',
      meteredUsage: {
        consumptionPeriod: 'Monthly',
        usageTiers: [
          { startUsage: 0, endUsage: 5, quotaUsageLevel: 'Normal', quotaUsagePolicy: 'None' },
          { startUsage: 5, quotaUsageLevel: 'OverUsage', quotaUsagePolicy: 'Deny' },
        ],
      },
    })
    expect(only(snapshot.featureCatalog)).toMatchObject({
      featureCode: 'ACTIONS_QUOTA',
      featureType: 'Metered',
      units: 'minute',
      metricName: 'actions-quota',
    })
    const of = (plan: string) => planValues(snapshot, plan).ACTIONS_QUOTA as Fields
    expect(of('FREE')).toMatchObject({ enforcementType: 'TieredAbsolute', value: '5', metricName: 'actions-quota' })
    expect((of('PRO').usageTiers as Fields[])[0]).toMatchObject({ endUsage: 50 })
    expect(of('OPEN')).toMatchObject({ enforcementType: 'TieredAbsolute', value: 'Infinity' })
    expect(of('OPEN').usageTiers).toEqual([{ startUsage: 0, quotaUsageLevel: 'Normal', quotaUsagePolicy: 'None' }])
    expect(of('NONE')).toMatchObject({ enforcementType: 'NotIncluded', value: '0', usageTiers: [] })
    expect(warnings).toEqual([])
  })

  test.each([
    [{ type: 'NON_RENEWABLE', unit: 'GB' }, 'Numeric', 'GB', undefined],
    [{ type: 'NON_RENEWABLE', unit: 'user/month' }, 'Numeric', 'user/month', undefined],
    [{ type: 'TIME_DRIVEN', unit: 'minute/month' }, 'Metered', 'minute', 'Monthly'],
    [{ type: 'TIME_DRIVEN', unit: 'min' }, 'Numeric', 'min', undefined],
    [{ type: 'RESPONSE_DRIVEN', unit: 'credit/day' }, 'Metered', 'credit', 'Daily'],
    [{ type: 'RESPONSE_DRIVEN', unit: 'credit' }, 'Numeric', 'credit', undefined],
    [{ type: 'RENEWABLE', unit: 'GB', period: { value: 1, unit: 'WEEK' } }, 'Metered', 'GB', 'Weekly'],
    [{ type: 'RENEWABLE', period: { value: 12, unit: 'MONTH' } }, 'Metered', null, 'Yearly'],
    [{ type: 'NON_RENEWABLE', valueType: 'TEXT', defaultValue: '10x' }, 'Text', null, undefined],
    [{}, 'Numeric', null, undefined],
  ])('%j is %s of %s, %s', (fields, featureType, units, period) => {
    const { snapshot, warnings } = convert({ usageLimits: { a: limit(fields) } })
    expect(only(snapshot.featureCatalog)).toMatchObject({ featureType, units })
    const assets = snapshot.monitoredAssets as { meteredUsage: Fields }[]
    expect(assets.map(({ meteredUsage }) => meteredUsage.consumptionPeriod)).toEqual(period ? [period] : [])
    expect(warnings).toEqual([])
  })

  test.each([
    [{ type: 'RENEWABLE', unit: 'use' }, '/usageLimits/a/type'],
    [{ type: 'RENEWABLE', period: { value: 28, unit: 'DAY' } }, '/usageLimits/a/period'],
  ])('%j is Monthly, with a warning', (fields, pointer) => {
    const { snapshot, warnings } = convert({ usageLimits: { a: limit(fields) } })
    expect(only(snapshot.monitoredAssets)).toMatchObject({ meteredUsage: { consumptionPeriod: 'Monthly' } })
    expect(warnings.map((warning) => warning.pointer)).toEqual([pointer])
  })

  test('a limit that is no number has no tiers, and says so', () => {
    const { snapshot, warnings } = convert({
      usageLimits: { a: limit({ type: 'RENEWABLE', unit: 'GB/month', defaultValue: 'fair use' }) },
      plans: { PRO: {} },
    })
    expect(planValues(snapshot, 'PRO').A).toMatchObject({
      enforcementType: 'SingleValue',
      value: 'fair use',
      usageTiers: [],
    })
    expect(warnings.map(({ pointer }) => pointer)).toEqual(['/usageLimits/a/defaultValue'])
  })

  test('a limit and a feature of one name are told apart by _LIMIT', () => {
    const { snapshot, warnings } = convert({
      features: { teamSeats: boolean },
      usageLimits: { 'team-seats': limit({ type: 'RENEWABLE', unit: 'seat/day' }) },
    })
    const codes = (snapshot.featureCatalog as Fields[]).map(({ featureCode }) => featureCode)
    expect(codes).toEqual(['TEAM_SEATS', 'TEAM_SEATS_LIMIT'])
    expect(only(snapshot.monitoredAssets).metricName).toBe('team-seats-limit')
    expect(warnings[0]).toMatchObject({ pointer: '/usageLimits/team-seats' })
  })
})

describe('add-ons', () => {
  const list = {
    features: { a: boolean },
    usageLimits: { quota: limit({ type: 'RENEWABLE', unit: 'GB/month' }), seats: limit({ type: 'NON_RENEWABLE' }) },
    plans: { FREE: {}, PRO: {} },
  }
  const addOn = (fields: object) => {
    const { snapshot, warnings, errors } = convert({ ...list, addOns: { extraPack: fields } })
    return { item: only(snapshot.addOns), warnings, errors }
  }

  test('replace what they set and add what they extend, on the plans they are sold with', () => {
    const { item, warnings } = addOn({
      description: 'More.',
      availableFor: ['PRO'],
      features: { a: { value: true } },
      usageLimits: { seats: { value: 9 } },
      usageLimitsExtensions: { quota: { value: 100 } },
    })
    expect(item).toMatchObject({ suiteCode: 'ACME_CAD', code: 'ACME_CAD_EXTRA_PACK', name: 'extraPack' })
    expect(item.featureValues).toMatchObject([
      { featureCode: 'A', value: 'true', operation: 'Replace', planTargets: ['PRO'] },
      { featureCode: 'SEATS', value: '9', operation: 'Replace', usageTiers: [] },
      { featureCode: 'QUOTA', value: '100', operation: 'Add', usageTiers: [{ endUsage: 100 }, { startUsage: 100 }] },
    ])
    expect(warnings).toEqual([])
  })

  test.each([[undefined], [null], [[]], [['PRO', 'FREE']]])('availableFor %j, where none is every plan', (names) => {
    const { item } = addOn({ availableFor: names, features: { a: { value: true } } })
    expect(only(item.featureValues).planTargets).toEqual(names ?? [])
  })

  test('an empty availableFor is a warning, but in a list that has no plans', () => {
    const fields = { availableFor: [], features: { a: { value: true } } }
    const { warnings } = addOn(fields)
    expect(warnings).toMatchObject([
      { pointer: '/addOns/extraPack/availableFor', message: expect.stringMatching(/for every plan$/) },
    ])
    expect(addOn({ ...fields, availableFor: null }).warnings).toEqual([])
    expect(convert({ ...list, plans: null, addOns: { extraPack: fields } }).warnings).toEqual([])
  })

  test.each([
    [{ FREE: '12,000' }, ['PRO'], 'FREE'],
    [{ FREE: -1, PRO: 'lots' }, undefined, 'FREE, PRO'],
  ])('an extension is left out where the limit is no number: %j', (given, planTargets, others) => {
    const values = Object.entries(given).map(([plan, value]) => [plan, { usageLimits: { quota: { value } } }])
    const plans = { ...list.plans, ...Object.fromEntries(values) }
    const addOns = { more: { usageLimitsExtensions: { quota: { value: 100 } } } }
    const { snapshot, warnings } = convert({ ...list, plans, addOns })
    const found = only(snapshot.addOns).featureValues as Fields[]
    expect(found).toEqual(planTargets ? [expect.objectContaining({ operation: 'Add', planTargets })] : [])
    expect(warnings.at(-1)).toMatchObject({
      pointer: '/addOns/more/usageLimitsExtensions/quota/value',
      message: `is left out for ${others}: the limit is no number there to which it could be added`,
    })
  })

  test('an extension without limit takes the place of the limit', () => {
    const { item } = addOn({ usageLimitsExtensions: { quota: { value: Number.POSITIVE_INFINITY } } })
    expect(only(item.featureValues)).toMatchObject({ operation: 'Replace', value: 'Infinity' })
  })

  test('what they have no place for is listed: price, unit, dependsOn, excludes, constraints', () => {
    const { warnings } = addOn({
      price: 5,
      unit: 'block/month',
      dependsOn: ['other'],
      excludes: ['another'],
      subscriptionConstraints: { minQuantity: 2 },
      availableFor: ['PRO'],
    })
    expect(warnings.map(({ subject }) => subject).sort()).toEqual([
      'addOns.*.availableFor',
      'addOns.*.dependsOn',
      'addOns.*.excludes',
      'addOns.*.price',
      'addOns.*.subscriptionConstraints',
      'addOns.*.unit',
    ])
  })

  test('an add-on whose name starts with the product keeps it once', () => {
    const { snapshot } = convert({ addOns: { acmeCadPlus: {}, 'acme-cad-plus': {} } })
    expect((snapshot.addOns as Fields[]).map(({ code }) => code)).toEqual(['ACME_CAD_PLUS', 'ACME_CAD_PLUS_2'])
  })
})

describe('what is left out and what is refused', () => {
  test('every field without a place is a warning at its place, empty ones are not', () => {
    const { warnings } = convert({
      variables: { x: 1 },
      starts: null,
      billing: { monthly: 1, annually: 0.8 },
      features: { a: { ...boolean, expression: 'x', render: '', integrationType: 'API', pricingUrls: [] } },
      usageLimits: { b: limit({ linkedFeatures: ['a'], trackable: true }) },
      plans: { PRO: { usageLimts: { b: { value: 1 } } } },
    })
    expect(warnings.map(({ pointer }) => pointer)).toEqual([
      '/variables',
      '/billing/annually',
      '/features/a/expression',
      '/features/a/integrationType',
      '/usageLimits/b/linkedFeatures',
      '/usageLimits/b/trackable',
      '/plans/PRO/usageLimts',
    ])
    expect(warnings.at(-1)?.message).toContain('"usageLimits"')
  })

  test.each([['9.9'], [4], [['2.1', '3.0']]])('the syntaxVersion %j is not known, and a warning', (syntaxVersion) => {
    const { warnings } = convert({ syntaxVersion })
    expect(warnings).toMatchObject([{ pointer: '/syntaxVersion', message: expect.stringContaining('2.1, 3.0') }])
  })

  test.each([['1.1'], ['2.1'], [2.1], ['3.0'], ['3.1'], [null]])('the syntaxVersion %j is known', (syntaxVersion) => {
    expect(convert({ syntaxVersion }).warnings).toEqual([])
  })

  test.each([
    ['no service', { saasName: undefined }, ''],
    ['a service without a name', { saasName: ' ' }, '/saasName'],
    ['a name without letters', { saasName: '***' }, '/saasName'],
    ['a list of features', { features: [{ name: 'a' }] }, '/features'],
    ['a feature that is a text', { features: { a: 'yes' } }, '/features/a'],
    ['an unknown valueType', { features: { a: { valueType: 'ENUM' } } }, '/features/a/valueType'],
    ['plans that are a text', { plans: 'FREE' }, '/plans'],
    ['a plan that is a number', { plans: { FREE: 3 } }, '/plans/FREE'],
    ['a price below 0', { plans: { FREE: { price: -1 } } }, '/plans/FREE/price'],
    ['a price that is a list', { plans: { FREE: { price: [1] } } }, '/plans/FREE/price'],
    ['a price without end', { plans: { FREE: { price: Number.POSITIVE_INFINITY } } }, '/plans/FREE/price'],
    ['a currency that is none', { currency: '€', plans: { PRO: { price: 1 } } }, '/currency'],
    ['a currency that nobody has', { currency: 'QQQ' }, '/currency'],
    ['a price without a currency', { currency: undefined, plans: { PRO: { price: 1 } } }, ''],
    ['a value of nothing', { plans: { PRO: { features: { ghost: { value: 1 } } } } }, '/plans/PRO/features/ghost'],
    ['a plan that is not there', { addOns: { a: { availableFor: ['PRO'] } } }, '/addOns/a/availableFor/0'],
    ['plans named by a text', { addOns: { a: { availableFor: 'PRO' } } }, '/addOns/a/availableFor'],
    ['an add-on that is a text', { addOns: { a: 'x' } }, '/addOns/a'],
  ])('%s is refused at its place', (_what, fields, pointer) => {
    expect(convert(fields).errors.map((error) => error.pointer)).toEqual([pointer])
  })

  test.each([
    [{}],
    [{ features: null, usageLimits: null, plans: null, addOns: null, billing: null, tags: null }],
    [{ plans: { FREE: null, PRO: { features: null, usageLimits: null, price: null } } }],
    [{ addOns: { a: null, b: { features: null, usageLimits: null, usageLimitsExtensions: null } } }],
    [{ features: { a: boolean }, addOns: { a: { features: { a: { value: true } } } } }],
    [{ features: { constructor: boolean }, plans: { toString: { features: { constructor: { value: true } } } } }],
  ])('%j is converted without an error', (fields) => expect(convert(fields).errors).toEqual([]))

  test.each([[null], [undefined], [[]], ['text'], [3]])('%j is refused, not a crash', (value) => {
    expect(convertPriceList(value).errors).toHaveLength(1)
  })
})
