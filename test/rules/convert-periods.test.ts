import { describe, expect, test } from 'vitest'
import { convertPriceList } from '../../cli/tasks/convert/price-list.ts'

function convertLimit(fields: object) {
  const limit = { valueType: 'NUMERIC', defaultValue: 5, type: 'RENEWABLE', ...fields }
  const { snapshot, warnings } = convertPriceList({ saasName: 'Acme', usageLimits: { a: limit } })
  const assets = snapshot.monitoredAssets as { meteredUsage: { consumptionPeriod: string } }[]
  return { periods: assets.map(({ meteredUsage }) => meteredUsage.consumptionPeriod), warnings }
}

describe('the period of a usage limit', () => {
  test.each([
    [{ unit: 'call', period: 'DAY' }, 'Daily'],
    [{ unit: 'call/day', period: 'daily' }, 'Daily'],
    [{ unit: 'call', period: '1 Week' }, 'Weekly'],
    [{ unit: 'call', period: { value: 3, unit: 'MONTH' } }, 'Quarterly'],
    [{ type: 'TIME_DRIVEN', period: '12 months' }, 'Yearly'],
    [{ unit: 'call', period: { value: 1, unit: 'YR' } }, 'Yearly'],
    [{ unit: 'call', period: { value: 30, unit: 'DAY' } }, 'Monthly'],
    [{ unit: 'call', period: { value: 365, unit: 'DAY' } }, 'Yearly'],
    [{ unit: 'call/3 months' }, 'Quarterly'],
    [{ unit: 'call/hr' }, 'Hourly'],
    [{ unit: 'call per hrs' }, 'Hourly'],
    [{ unit: 'call/wk' }, 'Weekly'],
    [{ unit: 'call/mo' }, 'Monthly'],
    [{ unit: 'call/yr' }, 'Yearly'],
    [{ unit: 'call per annum' }, 'Yearly'],
  ])('%j is %s', (fields, period) => expect(convertLimit(fields)).toEqual({ periods: [period], warnings: [] }))

  test.each([
    [{ unit: 'call', period: [1, 'DAY'] }, 'Monthly', '/period', 'no period of 1, DAY: Monthly is taken'],
    [{ unit: 'call/day', period: [1, 'DAY'] }, 'Daily', '/period', 'no period of 1, DAY: Daily is taken'],
    [{ unit: 'call/day', period: 'now and then' }, 'Daily', '/period', 'Daily is taken'],
    [{ unit: 'call/day', period: 1 }, 'Daily', '/period', 'Daily is taken'],
    [{ unit: 'call/day', period: { value: 28, unit: 'DAY' } }, 'Daily', '/period', 'Daily is taken'],
    [{ unit: 'call/day', period: { value: 1, unit: 'MONTH' } }, 'Monthly', '/period', 'the unit says Daily: Monthly'],
    [{ unit: 'call/day', period: 'WEEK' }, 'Weekly', '/period', 'the unit says Daily: Weekly'],
    [{ unit: 'call/min' }, 'Monthly', '/unit', 'no period as short as "call/min": Monthly is taken'],
    [{ unit: 'call per second' }, 'Monthly', '/unit', 'no period as short as "call per second": Monthly is taken'],
    [
      { unit: 'call/sec' },
      'Monthly',
      '/unit',
      'no period as short as "call/sec": Monthly is taken, which allows as much in a whole month',
    ],
    [{ unit: 'call', period: { value: 6, unit: 'MONTH' } }, 'Monthly', '/period', 'in which as much is allowed'],
    [{ unit: 'call', period: { value: 1, unit: { a: 1 } } }, 'Monthly', '/period', 'no period of 1 {"a":1}'],
    [{ unit: 'call/6 months' }, 'Monthly', '/unit', 'no period as that of "call/6 months": Monthly is taken'],
    [{ type: 'TIME_DRIVEN', unit: 'min/2 weeks' }, 'Monthly', '/unit', 'no period as that of "min/2 weeks"'],
    [{ unit: 'admin' }, 'Monthly', '/type', 'names no period'],
    [{ unit: 'call/month/year' }, 'Yearly', '/unit', 'names two periods: Yearly is taken'],
    [{ unit: 'call', period: { value: 1, unit: 'DAY', extra: 3 } }, 'Daily', '/period/extra', 'left out'],
  ])('%j is %s, with a warning at %s', (fields, period, pointer, message) => {
    const { periods, warnings } = convertLimit(fields)
    expect(periods).toEqual([period])
    expect(warnings.map((warning) => warning.pointer)).toEqual([`/usageLimits/a${pointer}`])
    expect(warnings[0]!.message).toContain(message)
  })

  test.each([
    [{ type: 'NON_RENEWABLE', period: 'DAY' }],
    [{ type: 'NON_RENEWABLE', period: ['DAY'] }],
    [{ type: 'NON_RENEWABLE', period: { value: 1, unit: 'DAY' } }],
    [{ type: '', valueType: 'TEXT', defaultValue: 'some', period: 'DAY' }],
  ])('%j has none, and says so', (fields) => {
    const { periods, warnings } = convertLimit(fields)
    expect(periods).toEqual([])
    expect(warnings).toMatchObject([{ pointer: '/usageLimits/a/period', subject: 'usageLimits.*.period' }])
  })

  test.each([
    ['RENEWABEL', 'or is it RENEWABLE?'],
    ['NON-RENEWABLE', 'or is it NON_RENEWABLE?'],
    ['WHATEVER', 'is none of NON_RENEWABLE, RENEWABLE, TIME_DRIVEN, RESPONSE_DRIVEN:'],
  ])('a limit of the type %s has none, and says so', (type, message) => {
    const { periods, warnings } = convertLimit({ type, unit: 'call/day' })
    expect(periods).toEqual([])
    expect(warnings.map(({ pointer }) => pointer)).toEqual(['/usageLimits/a/type'])
    expect(warnings[0]!.message).toContain(message)
  })
})
