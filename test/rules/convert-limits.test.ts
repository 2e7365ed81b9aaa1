import { describe, expect, test } from 'vitest'
import { joinPriceLists } from '../../cli/tasks/convert/joining.ts'

const convert = (text: string) => joinPriceLists([{ name: 'a.yml', bytes: Buffer.from(text) }])
const remarksOn = (text: string) => {
  const { errors, warnings } = convert(text)
  expect(errors).toEqual([])
  return warnings.map(({ line, message }) => `${line}: ${message}`)
}

const unlimited = 'no limit is enforced'
const refused = 'every use is refused'

describe('a metered limit without a usable number', () => {
  const list = (defaultValue: string, own = '') => `saasName: A
usageLimits:
  calls:
    valueType: NUMERIC
    type: RENEWABLE
    unit: call/month
    ${defaultValue}
plans:
  FREE:
  PRO:
    usageLimits:
      calls:
        ${own}
`
  const isNone = `is no number, though the feature is NUMERIC: kept as it stands, and ${unlimited}`

  test.each([
    ['', `3: gives no number: ${unlimited}`],
    ['defaultValue: null', `7: gives no number: ${unlimited}`],
    ['defaultValue: .nan', `7: ${isNone}`],
    ['defaultValue: -.inf', `7: is below 0: kept as it stands, and ${unlimited}`],
    ['defaultValue: Unlimited calls', `7: ${isNone}`],
    ['defaultValue: 12,000', `7: ${isNone}`],
    ['defaultValue: ""', `7: ${isNone}`],
    ['defaultValue: -1', `7: is below 0: kept as it stands, and ${refused}`],
    ['defaultValue: "-5"', `7: is below 0: kept as it stands, and ${refused}`],
  ])('as a default, %j, is one warning with the consequence', (written, remark) =>
    expect(remarksOn(list(written))).toEqual([`${remark} where nothing else is given`]),
  )

  test.each([
    ['value: ""', isNone],
    ['value: 12 000', isNone],
    ['value: -1', `is below 0: kept as it stands, and ${refused}`],
  ])('as a plan’s own, %j, is one warning with the consequence', (written, remark) =>
    expect(remarksOn(list('defaultValue: 5', written))).toEqual([`13: ${remark}`]),
  )

  test.each([['value: 0'], ['value: .inf'], ['value: null'], ['']])('%j is usable', (written) =>
    expect(remarksOn(list('defaultValue: 5', written))).toEqual([]),
  )

  test.each([
    ['usageLimits', 'lots', `stands, and the plan's limit stays, or, where that is 0, ${unlimited}`],
    ['usageLimits', '-1', "is below 0: kept as it stands, and the plan's limit stays"],
    ['usageLimitsExtensions', 'lots', `stands, and the plan's limit stays, or, where that is 0, ${unlimited}`],
    ['usageLimitsExtensions', '-1', "is below 0: kept as it stands, and the plan's limit is lowered by it"],
  ])('in an add-on’s %s, %s, says what becomes of the plan’s', (section, written, end) => {
    const remarks = remarksOn(`${list('defaultValue: 5')}addOns: {more: {${section}: {calls: {value: ${written}}}}}\n`)
    expect(remarks).toEqual([expect.stringMatching(/^14: /)])
    expect(remarks[0]).toContain(end)
  })
})

describe('a type that is lost', () => {
  test.each([
    ['valueType: TEXT, type: RENEWABLE, defaultValue: some', 'RENEWABLE'],
    ['valueType: BOOLEAN, type: RENEWABLE, defaultValue: true', 'RENEWABLE'],
    ['type: RENEWABLE, unit: call/month', 'RENEWABLE'],
    ['valueType: TEXT, type: TIME_DRIVEN, unit: min/day, defaultValue: some', 'TIME_DRIVEN'],
  ])('{%s} is not metered, and says so', (fields, type) => {
    const { snapshot, warnings } = convert(`saasName: A\nusageLimits:\n  a: {${fields}}\n`)
    expect(snapshot.monitoredAssets).toEqual([])
    expect(warnings).toMatchObject([{ line: 3, subject: 'usageLimits.*.type' }])
    expect(warnings[0]!.message).toBe(`is ${type}, but only a NUMERIC limit can be metered: ${unlimited}`)
  })

  test.each([
    ['TEXT', 'some', 'more', 'Replace', ['cannot be added to the limit: takes its place']],
    ['TEXT', 'some', '3', 'Replace', ['cannot be added to the limit: takes its place']],
    ['BOOLEAN', 'false', 'true', 'Replace', ['cannot be added to the limit: takes its place']],
    ['NUMERIC', '1', 'lots', 'Replace', [expect.any(String), expect.stringContaining('kept as it stands')]],
    ['NUMERIC', '1', '.inf', 'Replace', []],
    ['NUMERIC', '1', '3', 'Add', []],
  ])('a %s limit (%s) extended by %s is an operation %s', (valueType, defaultValue, added, operation, remarks) => {
    const { snapshot, warnings } = convert(`saasName: A
usageLimits: {a: {valueType: ${valueType}, type: NON_RENEWABLE, defaultValue: ${defaultValue}}}
addOns: {more: {usageLimitsExtensions: {a: {value: ${added}}}}}
`)
    expect(snapshot.addOns).toMatchObject([{ featureValues: [{ operation }] }])
    expect(warnings.map(({ message }) => message)).toEqual(remarks)
  })

  test('a mapping as a text is JSON, and says so once, wherever it stands', () => {
    const list = `saasName: A
features:
  a: {valueType: TEXT, defaultValue: {x: 1}}
  b: {valueType: TEXT, defaultValue: [{y: 2}, z]}
plans: {FREE: {}, PRO: {}}
`
    const remark = 'is a mapping where text is wanted: kept as JSON'
    expect(remarksOn(list)).toEqual([`3: ${remark}`, `4: ${remark}`])
    expect(convert(list).snapshot.products).toMatchObject([
      { features: [{ value: '{"x":1}' }, { value: '{"y":2}, z' }] },
    ])
  })
})
