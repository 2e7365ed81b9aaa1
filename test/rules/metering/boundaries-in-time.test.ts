import { describe, expect, test } from 'vitest'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import { consume } from '../../../server/metering/consumption/deciding.ts'
import { report } from '../../../server/metering/consumption/reporting.ts'
import { settle } from '../../../server/metering/consumption/settling.ts'
import { usageOf } from '../../../server/metering/consumption/snapshot.ts'
import { tier } from '../../support/layered-entitlements.ts'
import { amount, at, counting, courseOf, idOf, pastAt, wire } from './courses.ts'

const start = at('2026-03-10T12:00:00Z')
const day = 86_400_000

/** A meter of which amounts are consumed at instants; each call answers how it was decided. */
function used(tiers: UsageTier[], fields: Parameters<typeof counting>[2] = {}, from = start) {
  const course = courseOf([counting('calls', tiers, fields)], from)
  const id = idOf(course, 'calls')
  return {
    course,
    id,
    call(instant: number, wanted: number) {
      settle(course, instant)
      const { allowed, reason, retryAfterSeconds, usage } = consume(course, id, amount(wanted), instant)
      return { said: allowed ? 'allowed' : reason, retryAfterSeconds, usage }
    },
  }
}

describe('AllowWithGrace', () => {
  const graced = [tier(0, 10), tier(10, null, { quotaUsagePolicy: 'AllowWithGrace' })]

  test('allows until just before three days after the tier was first entered', () => {
    const { call } = used(graced)
    call(start, 10)
    expect(call(start + day, 1).said).toBe('allowed')
    expect(call(start + 4 * day - 1, 1).said).toBe('allowed')
    expect(call(start + 4 * day, 1)).toMatchObject({
      said: 'denied',
      retryAfterSeconds: (at('2026-04-01') - start) / 1000 - 4 * 86_400,
    })
  })

  test('that is over leaves nothing: the limit is where its tier begins, until the next period', () => {
    const { call, course, id } = used(graced)
    call(start, 13)
    const leftAt = (instant: number) => usageOf(course, course.get(id), instant)
    expect(leftAt(start + 3 * day - 1)).toMatchObject({ usage: 13, limit: null, remaining: null })
    expect(leftAt(start + 3 * day)).toMatchObject({ usage: 13, limit: 10, remaining: 0 })
    settle(course, at('2026-04-01'))
    expect(leftAt(at('2026-04-01'))).toMatchObject({ usage: 0, limit: null, remaining: null })
  })

  test('begins with what is uploaded, too', () => {
    const { call, course, id } = used(graced)
    report(course, id, amount(11), start, start)
    expect([call(start + 3 * day - 1, 1).said, call(start + 3 * day, 1).said]).toEqual(['allowed', 'denied'])
  })

  test('begins anew in the next period', () => {
    const { call } = used(graced, { consumptionPeriod: 'Weekly' }, at('2026-03-09'))
    call(at('2026-03-09'), 11)
    expect(call(at('2026-03-15T23:59:59.999Z'), 1).said).toBe('denied')
    expect(call(at('2026-03-16'), 11).said).toBe('allowed')
    expect(call(at('2026-03-18T23:59:59.999Z'), 1).said).toBe('allowed')
    expect(call(at('2026-03-19'), 1).said).toBe('denied')
  })

  test('of another tier has days of its own', () => {
    const { call } = used([
      tier(0, 10, { quotaUsagePolicy: 'AllowWithGrace' }),
      tier(10, null, { quotaUsagePolicy: 'AllowWithGrace' }),
    ])
    expect(call(start, 9).said).toBe('allowed')
    expect(call(start + 2 * day, 2).said).toBe('allowed')
    expect(call(start + 5 * day - 1, 1).said).toBe('allowed')
    expect(call(start + 5 * day, 1).said).toBe('denied')
  })
})

describe('RateLimit', () => {
  const paced = [tier(0, null, { quotaUsagePolicy: 'RateLimit' })]

  test('accepts one call in 60 seconds, whatever was refused between', () => {
    const { call } = used(paced)
    expect(call(start, 1).said).toBe('allowed')
    expect(call(start + 1, 1)).toMatchObject({ said: 'rate_limited', retryAfterSeconds: 60, usage: 1 })
    expect(call(start + 30_500, 1)).toMatchObject({ said: 'rate_limited', retryAfterSeconds: 30 })
    expect(call(start + 59_999, 1)).toMatchObject({ said: 'rate_limited', retryAfterSeconds: 1 })
    expect(call(start + 60_000, 1)).toMatchObject({ said: 'allowed', usage: 2 })
  })

  test('goes on over the end of a period', () => {
    const { call } = used(paced, { consumptionPeriod: 'Hourly' })
    call(start + 3_599_000, 1)
    expect(call(start + 3_600_000, 1)).toMatchObject({ said: 'rate_limited', retryAfterSeconds: 59, usage: 0 })
    expect(call(start + 3_659_000, 1)).toMatchObject({ said: 'allowed', usage: 1 })
  })

  test('is not asked of what is uploaded, and does not count it', () => {
    const { call, course, id } = used(paced)
    report(course, id, amount(5), start, start)
    expect(call(start, 1).said).toBe('allowed')
    report(course, id, amount(5), start, start)
    expect(usageOf(course, course.get(id), start).usage).toBe(11)
  })
})

describe('SuspendUsage', () => {
  const suspending = [tier(0, 10), tier(10, null, { quotaUsagePolicy: 'SuspendUsage' })]

  test.each([
    ['Hourly', '2026-03-10T13:00:00.000Z'],
    ['Daily', '2026-03-11T00:00:00.000Z'],
    ['Weekly', '2026-03-16T00:00:00.000Z'],
    ['Monthly', '2026-04-01T00:00:00.000Z'],
    ['Quarterly', '2026-04-01T00:00:00.000Z'],
    ['Yearly', '2027-01-01T00:00:00.000Z'],
  ] as const)('%s: one call too far suspends what would have fitted, until %s', (consumptionPeriod, end) => {
    const { call, course, id } = used(suspending, { consumptionPeriod })
    const retryAfterSeconds = (at(end) - start) / 1000
    expect(call(start, 5).said).toBe('allowed')
    expect(call(start, 6)).toEqual({ said: 'suspended', retryAfterSeconds, usage: 5 })
    expect(wire(usageOf(course, course.get(id), start)).suspendedUntilAt).toBe(end)
    expect(call(start, 1)).toEqual({ said: 'suspended', retryAfterSeconds, usage: 5 })
    expect(call(at(end) - 1, 1)).toMatchObject({ said: 'suspended', retryAfterSeconds: 1 })
    expect(call(at(end), 1)).toMatchObject({ said: 'allowed', usage: 1 })
    expect(usageOf(course, course.get(id), at(end)).suspendedUntilAt).toBeNull()
  })

  test('of a Lifetime lasts', () => {
    const { call, course, id } = used(suspending, { consumptionPeriod: 'Lifetime' })
    call(start, 11)
    expect(usageOf(course, course.get(id), start).suspendedUntilAt).toBe('9999-12-31T23:59:59.999Z')
    expect(call(at('2100-01-01'), 1).said).toBe('suspended')
  })
})

test.each([
  ['at the first instant of a period is its own', '2026-03-01T00:00:00.000Z', 3, undefined],
  ['just before it is that of the one before', '2026-02-28T23:59:59.999Z', 0, 3],
])('late usage %s', (_, occurred, usage, before) => {
  const { course, id } = used([])
  report(course, id, amount(3), at(occurred), start)
  expect(usageOf(course, course.get(id), start).usage).toBe(usage)
  expect(pastAt(course, id, at('2026-02-01'))?.usage).toEqual(before && amount(before))
})

test.each([0, 4])('late usage of a year that began in June, with %i by then, goes on from that alone', (usage) => {
  const { course, id } = used([], { consumptionPeriod: 'Yearly' }, at('2026-06-10'))
  course.knowPast({ meterId: id, periodStart: at('2026-05-01'), usage: amount(7), marks: {} })
  course.put(course.get(id), { periodStart: at('2026-06-01'), usage: amount(usage) })
  settle(course, at('2027-01-02'))
  report(course, id, amount(3), at('2026-12-31'), at('2027-01-02'))
  expect(pastAt(course, id, at('2026-06-01'))?.usage).toEqual(amount(usage + 3))
  expect(pastAt(course, id, at('2026-05-01'))?.usage).toEqual(amount(7))
})

test('each unit is counted in one period, and the limit holds in each', () => {
  const { call, course, id } = used([tier(0, 2)], {}, at('2026-01-31T23:59:59.000Z'))
  expect(call(at('2026-01-31T23:59:59.999Z'), 2).said).toBe('allowed')
  expect(call(at('2026-01-31T23:59:59.999Z'), 1).said).toBe('denied')
  expect(call(at('2026-02-01'), 2)).toMatchObject({ said: 'allowed', usage: 2 })
  expect(pastAt(course, id, at('2026-01-01'))?.usage).toEqual(amount(2))
})
