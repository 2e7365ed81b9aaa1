import { expect, test } from 'vitest'
import {
  type Interval,
  intervalLines,
  nextInterval,
  startOfInterval,
} from '../../server/reports/activations/intervals.ts'

const at = (text: string) => Date.parse(text)
const dayOf = (text: string) => at(text) / 86_400_000

test.each<[Interval, string, string, string]>([
  ['Day', '2026-03-31T23:59:59.999Z', '2026-03-31', '2026-04-01'],
  ['Week', '2026-11-22T12:00:00Z', '2026-11-16', '2026-11-23'],
  ['Week', '2026-11-23T00:00:00Z', '2026-11-23', '2026-11-30'],
  ['Week', '1969-12-31T00:00:00Z', '1969-12-29', '1970-01-05'],
  ['Month', '2026-02-28T12:00:00Z', '2026-02-01', '2026-03-01'],
  ['Month', '2026-12-31T12:00:00Z', '2026-12-01', '2027-01-01'],
  ['Month', '2027-01-31T12:00:00Z', '2027-01-01', '2027-02-01'],
])('the %s of %s begins on %s and the next on %s', (interval, instant, start, next) => {
  expect(startOfInterval(interval, at(instant))).toBe(at(start))
  expect(nextInterval(interval, at(start))).toBe(at(next))
})

const on = (day: string, count: number, isBefore: 0 | 1 = 0) => ({ day: dayOf(day), count, isBefore })
const moves = {
  activations: [on('2026-01-30', 5), on('2026-02-02', 2)],
  released: [on('2026-02-02', 1)],
  revoked: [on('2026-02-03', 1)],
  lapsed: [on('2026-02-03', 2)],
}
const seatsOf = (interval: Interval, from: string | null, to: string) =>
  intervalLines(moves, interval, from === null ? null : at(from), at(to)).map(({ start, seats }) => [
    new Date(start).toISOString().slice(0, 10),
    seats,
  ])

test('days in which nothing happened are there, too', () => {
  expect(seatsOf('Day', null, '2026-02-04')).toEqual([
    ['2026-01-30', 5],
    ['2026-01-31', 5],
    ['2026-02-01', 5],
    ['2026-02-02', 6],
    ['2026-02-03', 3],
  ])
})

test('what happened before the window counts for its seats', () => {
  expect(seatsOf('Day', '2026-02-03T15:00:00Z', '2026-02-05T00:00:00Z')).toEqual([
    ['2026-02-03', 3],
    ['2026-02-04', 3],
  ])
  expect(seatsOf('Month', null, '2026-02-15')).toEqual([
    ['2026-01-01', 5],
    ['2026-02-01', 3],
  ])
})

test('what happened before it in the interval that the window begins in counts for the seats alone', () => {
  const split = {
    activations: [on('2026-01-30', 5, 1), on('2026-02-03', 2, 1), on('2026-02-03', 1)],
    released: [on('2026-02-03', 3, 1)],
    revoked: [],
    lapsed: [on('2026-02-03', 1)],
  }
  for (const interval of ['Day', 'Month'] as const)
    expect(intervalLines(split, interval, at('2026-02-03T12:00:00Z'), at('2026-02-04'))).toEqual([
      {
        ...{ start: startOfInterval(interval, at('2026-02-03')), activations: 1, released: 0, revoked: 0, lapsed: 1 },
        seats: 4,
      },
    ])
})

test('of a week all that happened in it is one line', () => {
  expect(intervalLines(moves, 'Week', at('2026-02-02'), at('2026-02-09'))).toEqual([
    { start: at('2026-02-02'), activations: 2, released: 1, revoked: 1, lapsed: 2, seats: 3 },
  ])
})

test('where nothing ever happened there are no lines, however long the window', () => {
  const none = { activations: [], released: [], revoked: [], lapsed: [] }
  expect(intervalLines(none, 'Day', at('0001-01-01'), at('2026-01-01'))).toEqual([])
})
