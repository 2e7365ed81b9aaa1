import { Cron } from 'croner'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { nextTimeOf } from '../../../server/metering/balances/auto-balance.ts'

const schedules = ['0 0 1 * *', '*/5 * * * *', '15 3 * * 1', '0 0 29 2 *', '0 22 * * 1-5', '0 0 13 * 5', '5 4 * * sun']

test('the next time of a schedule is that after the instant, in UTC, in whatever order it is asked', () => {
  const instant = fc.date({ min: new Date('2024-01-01'), max: new Date('2032-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.constantFrom(...schedules), fc.array(instant, { maxLength: 10 }), (schedule, instants) => {
      const cron = new Cron(schedule, { mode: '5-part', timezone: 'UTC', paused: true })
      for (const at of instants)
        for (const after of [at.getTime(), nextTimeOf(schedule, at.getTime())!])
          expect(nextTimeOf(schedule, after)).toBe(cron.nextRun(new Date(after))!.getTime())
    }),
  )
})

test('a schedule goes on past the year 3000, by the same calendar', () => {
  const times = (from: number, count: number) => {
    const found = [from]
    while (found.length <= count) found.push(nextTimeOf('0 0 29 2 *', found.at(-1)!)!)
    return found.slice(1).map((time) => new Date(time).toISOString().slice(0, 10))
  }
  expect(times(Date.UTC(2992, 0), 3)).toEqual(['2992-02-29', '2996-02-29', '3004-02-29'])
  expect(times(Date.UTC(9990, 0), 2)).toEqual(['9992-02-29', '9996-02-29'])
  // A Monday.
  expect(nextTimeOf('0 0 * * 1', Date.UTC(3000, 0, 1))).toBe(Date.UTC(3000, 0, 6))
  expect(new Date(Date.UTC(3000, 0, 6)).getUTCDay()).toBe(1)
})

test('of very many balances that are filled at one time, the schedule is worked out once', () => {
  const workedOut = vi.spyOn(Cron.prototype, 'nextRun')
  // Of which nobody has asked before.
  const monthly = '0 0 1 1-12 *'
  const first = Date.UTC(2031, 0, 1)
  const next = Date.UTC(2031, 1, 1)
  for (let balance = 0; balance < 1000; balance++) expect(nextTimeOf(monthly, first + balance)).toBe(next)
  expect(workedOut).toHaveBeenCalledTimes(1)
  expect(nextTimeOf(monthly, next)).toBe(Date.UTC(2031, 2, 1))
  expect(workedOut).toHaveBeenCalledTimes(2)
  workedOut.mockRestore()
})
