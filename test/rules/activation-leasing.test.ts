import { describe, expect, test } from 'vitest'
import { Seats } from '../../server/activations/seating/seats.ts'
import { findSameDevice } from '../../server/activations/sessions/component-matching.ts'
import { isToBeHeardOf, leaseFrom } from '../../server/activations/sessions/leasing.ts'
import { seatUntil } from '../../server/entitlements/seats/holding.ts'

const at = (text: string) => Date.parse(`2026-${text}Z`)
const now = at('05-01T12:00:00')
const policy = {
  licenseModel: 'NodeLocked',
  leaseTime: 'P7D',
  graceTime: 'P3D',
  inactivityTimeout: 'PT1H',
} as const

describe('a lease and its grace', () => {
  test.each([
    ['go one after the other', policy, null, '05-08T12:00:00', '05-11T12:00:00'],
    ['end with the licence', policy, at('05-04T00:00:00'), '05-04T00:00:00', '05-04T00:00:00'],
    ['grace alone is cut short', policy, at('05-09T00:00:00'), '05-08T12:00:00', '05-09T00:00:00'],
    ['may have no grace', { ...policy, graceTime: 'PT0S' }, null, '05-08T12:00:00', '05-08T12:00:00'],
    ['count months as the calendar does', { ...policy, leaseTime: 'P1M' }, null, '06-01T12:00:00', '06-04T12:00:00'],
  ] as const)('%s', (_words, given, end, lease, grace) => {
    expect(leaseFrom(now, given, end)).toEqual({ leaseExpiresAt: at(lease), graceExpiresAt: at(grace) })
  })

  test('that are longer than time can be told end with what can be', () => {
    const { leaseExpiresAt, graceExpiresAt } = leaseFrom(now, { ...policy, leaseTime: 'P300000Y' }, null)
    expect([new Date(leaseExpiresAt).toISOString(), graceExpiresAt]).toEqual([
      '9999-12-31T23:59:59.999Z',
      leaseExpiresAt,
    ])
  })
})

test.each([
  ['NodeLocked', null],
  ['Floating', at('05-11T12:00:00')],
  ['InactivityBased', at('05-01T13:00:00')],
] as const)('a seat of the model %s lapses at its time', (licenseModel, until) => {
  expect(seatUntil(now, { ...policy, licenseModel }, at('05-11T12:00:00'))).toBe(until)
})

test.each([
  ['NodeLocked', { is_seated: 1 }, '12-31T00:00:00', false],
  ['NodeLocked', { is_seated: 0 }, '05-01T12:00:00', true],
  ['Floating', { is_seated: 1 }, '05-11T11:59:59', false],
  ['Floating', { is_seated: 1 }, '05-11T12:00:00', true],
  ['InactivityBased', { is_seated: 1 }, '05-01T12:06:00', false],
  ['InactivityBased', { is_seated: 1 }, '05-01T12:06:01', true],
  ['InactivityBased', { is_seated: 1 }, '05-01T13:00:00', true],
  ['InactivityBased', { is_seated: 0 }, '05-01T12:00:00', true],
] as const)('%s %j, used at %s, is to be heard of: %s', (licenseModel, seat, used, isTo) => {
  const session = { ...seat, last_access_at: now, grace_expires_at: at('05-11T12:00:00') }
  expect(isToBeHeardOf(session, { ...policy, licenseModel }, at(used))).toBe(isTo)
})

describe('a device is known by its components', () => {
  const known = { MachineName: 'a', MacAddress: 'b', OsVersion: 'c', UserName: 'd' }
  test.each([
    ['MatchAll', known, false],
    ['MatchAny', { MachineName: 'x', UserName: 'd' }, true],
    ['MatchAny', { MachineName: 'b', MacAddress: 'a' }, false],
    ['MatchAny', {}, false],
    ['Two', { MachineName: 'a', MacAddress: 'x' }, false],
    ['Two', { MachineName: 'a', MacAddress: 'b', OsVersion: 'x' }, true],
    ['Two', { MachineName: 'a' }, false],
    ['Most', { MachineName: 'a', MacAddress: 'b', OsVersion: 'x', UserName: 'x' }, false],
    ['Most', { MachineName: 'a', MacAddress: 'b', OsVersion: 'c', UserName: 'x' }, true],
    ['Most', { MachineName: 'a' }, true],
    ['Most', {}, false],
    ['MatchAny', { constructor: 'a', toString: 'x' }, false],
  ] as const)('%s of %j: %s', (strategy, sent, isSame) => {
    const device = { id: '1', components: JSON.stringify(known) }
    expect(findSameDevice(strategy, sent, [{ id: '0', components: null }, device])).toBe(isSame ? device : undefined)
  })

  test.each([
    ['MatchAny', { MachineName: 'a2', MacAddress: 'b2', OsVersion: 'c' }, '2'],
    ['Two', { MachineName: 'a1', MacAddress: 'b3', OsVersion: 'c', UserName: 'd3' }, '3'],
    ['Most', { MachineName: 'a2', OsVersion: 'c' }, '2'],
    ['MatchAny', { OsVersion: 'c' }, '1'],
  ] as const)('of several the one with the most in common, then the oldest: %s of %j', (strategy, sent, id) => {
    const devices = ['3', '1', '2'].map((one) => ({
      id: one,
      components: JSON.stringify({
        MachineName: `a${one}`,
        MacAddress: `b${one}`,
        OsVersion: 'c',
        UserName: `d${one}`,
      }),
    }))
    expect(findSameDevice(strategy, sent, devices)?.id).toBe(id)
  })
})

describe('seats', () => {
  test('are had as long as there are some, and what comes to nothing is no change', () => {
    const seats = new Seats(new Map([['full', 2]]))
    expect([seats.hasRoom('full', 2), seats.hasRoom('full', 3), seats.hasRoom('full', null)]).toEqual([
      false,
      true,
      true,
    ])
    seats.move('full', -1)
    expect(seats.hasRoom('full', 2)).toBe(true)
    seats.move('full', 1)
    seats.move('new', 1)
    seats.move('new', 1)
    expect([seats.hasRoom('full', 2), seats.hasRoom('new', 2)]).toEqual([false, false])
    expect(seats.changes()).toEqual([['new', 2]])
  })
})
