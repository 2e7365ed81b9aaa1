import { describe, expect, test } from 'vitest'
import { decimalText, toDecimal } from '../../server/kit/decimal.ts'
import { Course } from '../../server/metering/consumption/course.ts'
import type { Meter } from '../../server/metering/consumption/meter.ts'
import { settle } from '../../server/metering/consumption/settling.ts'
import { countAll, type Placed, pastOf, place, type Scope } from '../../server/metering/transactions/counting.ts'
import { refusalOfDate } from '../../server/metering/transactions/dating.ts'
import { isRejection, readTransaction } from '../../server/metering/transactions/reading.ts'
import { pastAt } from './metering/courses.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const noted = '2026-03-10T11:00:00Z'
const usage = (more: object = {}) => JSON.stringify({ metricName: 'exports', amount: 1, occurredAt: noted, ...more })
const record = (more: object = {}) => ({
  transactionId: 7,
  sessionId: null,
  apiVersion: 1,
  creationDateTime: noted,
  eventName: 'UsageReported',
  eventData: usage(),
  ...more,
})

/** What a record is read as: what matters of it, or why not. */
function outcome(raw: unknown) {
  const read = readTransaction(raw)
  if (isRejection(read)) return [read.transactionId, read.message]
  return read
}

describe('a record is read by itself', () => {
  test('in the canonical form of each of its fields', () => {
    const sessionId = '0199AAAA-0000-7000-8000-00000000ABCD'
    expect(outcome(record({ transactionId: '12', apiVersion: '3', sessionId }))).toEqual({
      transactionId: 12,
      sessionId: sessionId.toLowerCase(),
      apiVersion: 3,
      createdAt: Date.parse(noted),
      eventName: 'UsageReported',
      eventData: usage(),
      occurredAt: Date.parse(noted),
      usage: { metricName: 'exports', amount: toDecimal('1'), occurredAt: Date.parse(noted) },
    })
  })

  test('and stays as it was sent', () => {
    const sent = record({ transactionId: '12', creationDateTime: '2026-03-10T12:00:00+01:00' })
    const copy = structuredClone(sent)
    readTransaction(sent)
    expect(sent).toEqual(copy)
  })

  const wholeNumber = '/transactionId: must be a whole number from 0 to 9007199254740991'
  test.each([
    [0, 0],
    [1, 1],
    ['7', 7],
    ['1e3', 1000],
    [9007199254740991, 9007199254740991],
    ['9007199254740991', 9007199254740991],
    [-0, 0],
    [-1, wholeNumber],
    [1.5, wholeNumber],
    [2 ** 53, wholeNumber],
    // So a number is handed over that a double would round.
    ['9007199254740993', wholeNumber],
    ['9223372036854775808', wholeNumber],
    ['0x10', wholeNumber],
    [' 7', wholeNumber],
    ['', wholeNumber],
    [null, wholeNumber],
    [undefined, wholeNumber],
    [true, wholeNumber],
    [[7], wholeNumber],
  ])('its id %j is %j', (transactionId, expected) => {
    const read = readTransaction(record({ transactionId }))
    if (typeof expected === 'number') expect([isRejection(read), read.transactionId]).toEqual([false, expected])
    else expect(outcome(record({ transactionId }))).toEqual([null, expected])
  })

  test.each([
    [null, null, 'The record: must be an object'],
    ['a text', null, 'The record: must be an object'],
    [[record()], null, 'The record: must be an object'],
    [{}, null, wholeNumber],
    [record({ kind: 'x' }), 7, '/kind: there is no field "kind" here'],
    [record({ sessionId: 'x' }), 7, '/sessionId: must be a UUID'],
    [record({ sessionId: 4 }), 7, '/sessionId: must be text or null, not a number'],
    [record({ apiVersion: 1.5 }), 7, '/apiVersion: must be a whole number of 32 bits'],
    [record({ eventName: '' }), 7, '/eventName: must not be empty'],
    [record({ eventName: 'x'.repeat(201) }), 7, '/eventName: must be at most 200 characters long'],
    [record({ eventName: undefined }), 7, '/eventName: is missing'],
    [record({ eventData: {} }), 7, '/eventData: must be text, not an object'],
    [record({ eventData: null }), 7, '/eventData: must be text, not null'],
    [record({ eventData: '' }), 7, '/eventData: must hold JSON, but is not JSON'],
    [record({ eventData: '{"a":1' }), 7, '/eventData: must hold JSON, but is not JSON'],
    [
      record({ eventData: '{"a":1,"a":2}' }),
      7,
      '/eventData: must hold JSON, but holds the key "a" twice in one object',
    ],
    [record({ eventData: `"${'é'.repeat(40_000)}"` }), 7, '/eventData: must be at most 65536 bytes of UTF-8'],
    [record({ eventData: '[]' }), 7, '/eventData: must be an object, not a list'],
    [record({ eventData: usage({ metricName: null }) }), 7, '/eventData/metricName: must be text, not null'],
    [record({ eventData: usage({ metricName: undefined }) }), 7, '/eventData/metricName: is missing'],
    [
      record({ eventData: '{"metricName":9007199254740993,"amount":1}' }),
      7,
      '/eventData/metricName: must be text, not a number',
    ],
    [
      record({ eventData: usage({ amount: '1E2' }) }),
      7,
      expect.stringMatching(/^\/eventData\/amount: must be a number/),
    ],
    [
      record({ eventName: 'FeatureUsed', eventData: '{"featureCode":""}' }),
      7,
      '/eventData/featureCode: must not be empty',
    ],
  ])('%#: not when it is not one', (raw, id, message) => {
    expect(outcome(raw)).toEqual([id, message])
  })

  test.each([
    '2026-02-30T00:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00',
    '10000-01-01T00:00:00Z',
    '2026-01-01',
    'yesterday',
    1767225600,
  ])('not with the time %j, of whichever field', (time) => {
    expect(outcome(record({ creationDateTime: time }))).toEqual([7, expect.stringMatching(/^\/creationDateTime: /)])
    expect(outcome(record({ eventData: usage({ occurredAt: time }) }))).toEqual([
      7,
      expect.stringMatching(/^\/eventData\/occurredAt: /),
    ])
  })

  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  test('an event of another name is kept as it came, as long as it is JSON', () => {
    for (const eventData of ['{"anything": [1.50] }', '"text"', 'null', '1.50', nested(64)])
      expect(outcome(record({ eventName: 'DoorOpened', eventData }))).toMatchObject({
        eventData,
        occurredAt: null,
        usage: null,
      })
    expect(outcome(record({ eventName: 'DoorOpened', eventData: nested(65) }))).toEqual([
      7,
      '/eventData: must hold JSON, but is nested deeper than 64 levels',
    ])
    expect(outcome(record({ eventName: 'constructor', eventData: '{}' }))).toMatchObject({ usage: null })
  })

  test('an event happened when it says, else when it was noted', () => {
    const said = { occurredAt: '2026-03-01T00:00:00+02:00', attributes: { by: 'me' }, more: true }
    expect(outcome(record({ eventData: usage(said) }))).toMatchObject({
      occurredAt: Date.parse('2026-02-28T22:00:00Z'),
    })
    expect(outcome(record({ eventData: usage({ occurredAt: null }) }))).toMatchObject({ occurredAt: Date.parse(noted) })
    expect(outcome(record({ eventData: usage({ occurredAt: undefined }), creationDateTime: null }))).toEqual([
      7,
      '/eventData/occurredAt: must be given where the record has no creationDateTime',
    ])
    const used = { eventName: 'FeatureUsed', eventData: '{"featureCode":"EXPORT","how":"often"}' }
    expect(outcome(record(used))).toMatchObject({ occurredAt: Date.parse(noted), usage: null })
    expect(outcome(record({ ...used, creationDateTime: null }))).toMatchObject({ occurredAt: null, usage: null })
  })

  test.each([
    ['1', '1'],
    ['"2.50"', '2.5'],
    ['0.1000000000000000055', null],
    ['0.100000000000000005', '0.100000000000000005'],
    ['1000000000000000.1', '1000000000000000.1'],
    ['9007199254740993', '9007199254740993'],
    ['1e3', '1000'],
    ['1e-18', '0.000000000000000001'],
    ['1e-19', null],
    ['1e18', null],
    ['999999999999999999.5', '999999999999999999.5'],
    ['0', null],
    ['-1', null],
    ['null', null],
    ['true', null],
    ['"0x10"', null],
    ['" 1"', null],
    ['"NaN"', null],
    ['[1]', null],
  ])('the amount %s is exactly %s', (text, expected) => {
    const eventData = `{"metricName":"exports","occurredAt":"${noted}","amount":${text}}`
    const read = readTransaction(record({ eventData }))
    if (expected === null)
      expect(outcome(record({ eventData }))).toEqual([
        7,
        expect.stringMatching(/^\/eventData\/amount: must be a number above 0/),
      ])
    else expect(isRejection(read) ? read : decimalText(read.usage!.amount)).toBe(expected)
  })
})

test.each([
  ['2026-03-10T12:00:30.000Z', 'P3D', undefined],
  ['2026-03-10T12:00:30.001Z', 'P3D', /in the future/],
  ['2026-03-07T12:00:00.000Z', 'P3D', undefined],
  ['2026-03-07T11:59:59.999Z', 'P3D', /P3D/],
  ['2026-02-10T12:00:00.000Z', 'P1M', undefined],
  ['2026-02-10T11:59:59.999Z', 'P1M', /P1M/],
  ['2026-03-10T12:00:00.000Z', 'PT0S', undefined],
  ['0001-01-01T00:00:00.000Z', 'P999999Y', undefined],
])('usage of %s that may be %s old', (occurredAt, tolerance, refusal) => {
  const said = refusalOfDate(Date.parse(occurredAt), tolerance, now)
  if (refusal) expect(said).toMatch(refusal)
  else expect(said).toBeUndefined()
})

describe('a batch', () => {
  const [own, other, foreign] = ['1', '2', '3'].map((digit) => `0199aaaa-0000-7000-8000-00000000000${digit}`) as [
    string,
    string,
    string,
  ]
  const ofSession: Scope = { entitlementId: 'entitlement', sessionId: own, sessionIds: new Set([own]) }
  const ofEntitlement: Scope = { entitlementId: 'entitlement', sessionId: null, sessionIds: new Set([own, other]) }

  const zero = { units: 0n, exponent: 0 }
  const meter: Meter = {
    id: 'meter',
    entitlementId: 'entitlement',
    productId: 'product',
    metricName: 'exports',
    unit: null,
    backDatingTolerance: 'P3D',
    openedAt: 0,
    metered: { period: 'Daily', tiers: [], isVolume: false, end: null, written: [] },
    balance: null,
    state: { usage: zero, periodStart: null, marks: {}, holds: [], level: null, suspendedUntil: null, credits: null },
  }

  function taken(scope: Scope, raws: readonly object[], known: readonly string[] = []) {
    const course = new Course('entitlement', [meter])
    settle(course, now)
    const placed = raws.map((raw) => place(readTransaction(raw), scope))
    const { kept, duplicates, rejected } = countAll(course, placed, new Set(known), now)
    return {
      course,
      kept: kept.map(({ scopeId, transactionId, meterId }) => `${scopeId} ${transactionId} ${meterId}`),
      duplicates,
      rejected: rejected.map(({ transactionId, codeName }) => `${transactionId} ${codeName}`),
      usage: decimalText(course.get('meter').state.usage),
    }
  }

  test('takes each record once, the first of an identity, and of what is rejected the next', () => {
    const tooOld = usage({ occurredAt: '2026-03-01T00:00:00Z' })
    const {
      kept,
      duplicates,
      rejected,
      usage: used,
    } = taken(
      ofSession,
      [
        record({ transactionId: 1, eventData: usage({ amount: 0.1 }) }),
        record({ transactionId: 2, eventData: tooOld }),
        record({ transactionId: 1, eventData: usage({ amount: 100 }) }),
        record({ transactionId: 2, eventData: usage({ amount: 0.2 }) }),
        record({ transactionId: 3, eventData: tooOld }),
        record({ transactionId: 4 }),
        record({ transactionId: 5, eventData: usage({ metricName: 'EXPORTS' }) }),
        record({ transactionId: 6, eventName: 'DoorOpened', eventData: '{}' }),
      ],
      [`${own} 3`, `${own} 4`, `${other} 6`],
    )
    expect(kept).toEqual([`${own} 1 meter`, `${own} 2 meter`, `${own} 6 null`])
    expect([duplicates, used]).toEqual([3, '0.3'])
    expect(rejected).toEqual(['2 license.validation_error', '5 usage.metric_not_found'])
  })

  test('has features used when they say, or now, but neither in the future nor more than three days ago', () => {
    const note = (transactionId: number, creationDateTime: string | null, eventName = 'FeatureUsed') =>
      record({ transactionId, creationDateTime, eventName, eventData: '{"featureCode":"EXPORT"}' })
    const placed = [
      note(1, '2026-03-10T12:00:30Z'),
      note(2, '2026-03-10T12:00:30.001Z'),
      note(3, '2026-03-07T12:00:00Z'),
      note(4, '2026-03-07T11:59:59.999Z'),
      note(5, null),
      note(6, '1999-01-01T00:00:00Z', 'DoorOpened'),
    ].map((raw) => place(readTransaction(raw), ofSession))
    const { kept, rejected } = countAll(new Course('entitlement', [meter]), placed, new Set(), now)
    expect(kept.map(({ transactionId, occurredAt }) => [transactionId, occurredAt])).toEqual([
      [1, now + 30_000],
      [3, Date.parse('2026-03-07T12:00:00Z')],
      [5, now],
      [6, null],
    ])
    expect(rejected.map(({ transactionId, message }) => [transactionId, message])).toEqual([
      [2, expect.stringContaining('in the future')],
      [4, expect.stringContaining('P3D')],
    ])
  })

  test('of a session holds its own records alone, one of an entitlement those of its sessions', () => {
    const records = [
      record({ transactionId: 1 }),
      record({ transactionId: 1, sessionId: own.toUpperCase() }),
      record({ transactionId: 1, sessionId: other }),
      record({ transactionId: 1, sessionId: foreign }),
    ]
    expect(taken(ofSession, records)).toMatchObject({
      kept: [`${own} 1 meter`],
      duplicates: 1,
      rejected: ['1 license.validation_error', '1 license.validation_error'],
    })
    expect(taken(ofEntitlement, records)).toMatchObject({
      kept: ['entitlement 1 meter', `${own} 1 meter`, `${other} 1 meter`],
      duplicates: 0,
      rejected: ['1 license.validation_error'],
      usage: '3',
    })
  })

  test('counts late usage in its own period, of which it says beforehand which those are', () => {
    const at = (occurredAt: string, amount: number, transactionId: number) =>
      record({ transactionId, eventData: usage({ occurredAt, amount }) })
    const records = [
      at('2026-03-09T23:59:59.999Z', 2, 1),
      at('2026-03-10T00:00:00Z', 3, 2),
      at('2026-03-08T10:00:00Z', 4, 3),
      at('2026-03-09T00:00:00Z', 5, 4),
      at('2026-03-01T00:00:00Z', 6, 5),
    ]
    const { course, usage: used } = taken(ofSession, records)
    const placed = records.map((raw) => place(readTransaction(raw), ofSession) as Placed)
    const periods = pastOf(course, placed).map(({ periodStart }) => new Date(periodStart).toISOString().slice(0, 10))
    expect([used, periods]).toEqual(['3', ['2026-03-09', '2026-03-08', '2026-03-01']])
    const past = (day: string) => decimalText(pastAt(course, 'meter', Date.parse(day))!.usage)
    expect([past('2026-03-09'), past('2026-03-08')]).toEqual(['7', '4'])
  })
})
