import { expect, test } from 'vitest'
import { consume } from '../../../server/metering/consumption/deciding.ts'
import { consumptionOf, usageOf } from '../../../server/metering/consumption/snapshot.ts'
import { tier } from '../../support/layered-entitlements.ts'
import { amount, balance, counting, courseOf, idOf, opened } from './courses.ts'

const text = (value: unknown) => JSON.stringify(value)

test('0.1 consumed ten times is exactly 1, and the eleventh is past the limit of 1', () => {
  const course = courseOf([counting('calls', [tier(0, 1)])])
  const id = idOf(course, 'calls')
  for (let call = 0; call < 10; call++) expect(consume(course, id, amount('0.1'), opened).allowed).toBe(true)
  expect(usageOf(course, course.get(id), opened)).toMatchObject({ usage: 1, limit: 1, remaining: 0 })
  expect(consume(course, id, amount('0.1'), opened)).toMatchObject({ allowed: false, reason: 'denied', usage: 1 })
})

test('0.1 credits ten times use up exactly 1 credit', () => {
  const course = courseOf([balance('credits', { initialCreditAmount: 1 })])
  const id = idOf(course, 'credits')
  for (let call = 0; call < 10; call++) expect(consume(course, id, amount('0.1'), opened).allowed).toBe(true)
  expect(consumptionOf(course, course.get(id), opened)).toMatchObject({
    creditsUsed: 1,
    remaining: 0,
    cumulativeCreditsUsed: 1,
  })
  expect(consume(course, id, amount('1e-18'), opened)).toMatchObject({ allowed: false, reason: 'insufficient_credits' })
})

test('amounts up to 1e15 with nine decimals are counted and told with all their digits', () => {
  const course = courseOf([counting('calls', [])])
  const id = idOf(course, 'calls')
  const first = consume(course, id, amount('999999999999999.999999999'), opened)
  expect(text(first)).toContain('"amount":999999999999999.999999999,')
  const second = consume(course, id, amount('0.000000002'), opened)
  expect(text(second)).toContain('"usage":1000000000000000.000000001,')
  expect(text(usageOf(course, course.get(id), opened))).toContain('"usage":1000000000000000.000000001,')
})

test('prices of many digits times amounts of many digits are exact', () => {
  const paid = {
    quotaUsagePolicy: 'AllowWithOverage',
    creditsPerUnitOfConsumption: 0.000000001,
    fundingBalanceMetric: 'credits',
  } as const
  const course = courseOf([counting('calls', [tier(0, null, paid)]), balance('credits', { initialCreditAmount: 1e15 })])
  const decision = consume(course, idOf(course, 'calls'), amount('999999999999999.999999999'), opened)
  expect(text(decision)).toContain('"chargedCredits":999999.999999999999999999,')
  expect(text(decision)).toContain('"fundingBalanceRemaining":999999999000000.000000000000000001,')
})
