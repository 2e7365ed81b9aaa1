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
