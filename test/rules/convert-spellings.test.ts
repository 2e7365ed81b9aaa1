import { describe, expect, test } from 'vitest'
import { joinPriceLists } from '../../cli/tasks/convert/joining.ts'

type Fields = Record<string, unknown>
const convert = (text: string) => joinPriceLists([{ name: 'a.yml', bytes: Buffer.from(text) }])

function convertFeature(valueType: string, written: string) {
  const list = `
saasName: A
features: {a: {valueType: ${valueType}, defaultValue: ${written}}, b: {valueType: ${valueType}, defaultValue: 0}}
plans: {PRO: {features: {b: {value: ${written}}}}}
addOns: {more: {features: {b: {value: ${written}}}}}
`
  const { snapshot, errors, warnings } = convert(list)
  expect(errors).toEqual([])
  const [plan] = snapshot.plans![0]!.plans as { lineItems: { featureValues: Fields[] }[] }[]
  const values = [
    ...(snapshot.products![0]!.features as Fields[]).slice(0, 1),
    ...plan!.lineItems[0]!.featureValues,
    ...(snapshot.addOns![0]!.featureValues as Fields[]),
  ]
  return { values: new Set(values.map(({ value }) => value)), warnings }
}

describe('what stands for text', () => {
  test.each([
    ['1.10', '1.10'],
    ['2.0', '2.0'],
    ['0x1F', '0x1F'],
    ['12e3', '12e3'],
    ['1e400', '1e400'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['TRUE', 'TRUE'],
    ['0123', '0123'],
    ['00.00', '00.00'],
    ['[1.10, TLS]', '1.10, TLS'],
    ['"1.10"', '1.10'],
    ['.inf', 'Infinity'],
  ])('%s is kept as %s', (written, text) => {
    expect(convertFeature('TEXT', written)).toEqual({ values: new Set([text]), warnings: [] })
  })

  test('is kept as it is written in names, versions and units, too', () => {
    const { snapshot, errors, warnings } = convert(`
saasName: 1.10
version: 2.10
tags: [3.0]
features: {a: {valueType: BOOLEAN, defaultValue: TRUE, tag: 3.0}}
usageLimits: {b: {valueType: TEXT, defaultValue: 4.0, unit: 5.0}}
plans: {'6.0': {}, PRO: {}}
addOns: {more: {availableFor: [6.0], features: {a: {value: True}}}}
`)
    expect([...errors, ...warnings]).toEqual([])
    expect(snapshot.products![0]).toMatchObject({
      productCode: '1_10',
      name: '1.10',
      productInformation: { displayVersion: '2.10' },
      features: [{ value: 'true' }, { value: '4.0', units: '5.0' }],
    })
    expect(snapshot.featureCatalog![0]!.tags).toEqual(['3.0'])
    expect(snapshot.addOns![0]!.featureValues).toMatchObject([{ value: 'true', planTargets: ['6.0'] }])
  })
})

describe('a number that is not kept as it is written', () => {
  test.each([
    ['1e400', 'Infinity', 'is larger than any number that is kept: read as Infinity'],
    [`"${'9'.repeat(400)}"`, 'Infinity', 'is larger than any number that is kept: read as Infinity'],
    ['12345678901234567890', '12345678901234567000', 'has more digits than are kept: read as 12345678901234567000'],
  ])('%s is %s, with a warning at each place', (written, text, message) => {
    const { values, warnings } = convertFeature('NUMERIC', written)
    expect([...values]).toEqual([text])
    expect(warnings.map((warning) => [warning.line, warning.message])).toEqual([3, 4, 5].map((line) => [line, message]))
  })

  test.each([['.inf'], ['.INF'], ['Infinity'], ['1.10'], ['0x1F']])('%s is none', (written) => {
    const { warnings } = convertFeature('NUMERIC', written)
    expect(warnings.filter(({ message }) => /kept/.test(message))).toEqual([])
  })

  test.each([
    ['00.00', 0],
    ['007.50', 7.5],
    ['+00.5', 0.5],
    ['08', 8],
    ['007', 7],
    ['"00.00"', 0],
  ])('a price of %s is %d for all readers', (written, price) => {
    const { snapshot, errors, warnings } = convert(`saasName: A\ncurrency: EUR\nplans: {PRO: {price: ${written}}}\n`)
    expect([...errors, ...warnings]).toEqual([])
    expect(snapshot.plans![0]!.plans).toMatchObject([{ monthlyPrice: price }])
  })

  test.each([
    ['0123', '123'],
    ['-017', '-17'],
    ['0_20', '20'],
  ])('%s is %s, with a warning that some take it for octal', (written, text) => {
    const { values, warnings } = convertFeature('NUMERIC', written)
    expect([...values]).toEqual([text])
    const message = `begins with 0, which some readers take for octal: read as ${text}`
    expect(warnings.map((warning) => [warning.line, warning.message])).toEqual([3, 4, 5].map((line) => [line, message]))
  })

  test('a price has a warning of its own', () => {
    const { snapshot, warnings } = convert(
      'saasName: A\ncurrency: EUR\nplans: {PRO: {price: 0.12345678901234567890}}\n',
    )
    expect(snapshot.plans![0]!.plans).toMatchObject([{ monthlyPrice: 0.12345678901234568 }])
    expect(warnings).toMatchObject([{ line: 3, subject: 'plans.*.price' }])
  })
})
