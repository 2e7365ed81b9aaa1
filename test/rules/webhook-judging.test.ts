import { expect, test } from 'vitest'
import type { Reply } from '../../server/kit/outgoing/outgoing.ts'
import { judgeReply } from '../../server/webhooks/dispatch/judging.ts'

const now = Date.UTC(2026, 0, 1, 12)
const answered = (status: number, retryAfter?: string | string[]): Reply => ({
  ...{ status, body: Buffer.alloc(0), isCut: false, millis: 1 },
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
})
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const outcomesOf = (statuses: readonly number[]) => [
  ...new Set(statuses.map((status) => judgeReply(answered(status), now).outcome)),
]

test.each([
  ['every 2xx takes the event', range(200, 299), 'delivered'],
  ['every 5xx, 408 and 429 may be tried again', [...range(500, 599), 408, 429], 'failed'],
  ['a redirect is final', range(300, 399), 'refused'],
  ['410 wants nothing more', [410], 'gone'],
  ['any other 4xx is final', range(400, 499).filter((status) => ![408, 410, 429].includes(status)), 'refused'],
])('%s', (_, statuses, outcome) => {
  expect(outcomesOf(statuses)).toEqual([outcome])
})

test.each(['the connection was refused', 'no answer within 30 s'])(
  'where there was no answer it is tried again: %s',
  (failure) => {
    expect(judgeReply({ failure, millis: 3 }, now)).toEqual({ outcome: 'failed', error: failure, askedMillis: 0 })
  },
)

test('an answer cut at the limit is what its status says', () => {
  const cut = { ...answered(200), isCut: true } as Reply
  expect(judgeReply(cut, now).outcome).toBe('delivered')
})

test.each([301, 400, 410, 500])('the error of a %d names it', (status) => {
  expect(judgeReply(answered(status), now)).toMatchObject({ error: `the endpoint answered ${status}` })
})

const askedOf = (retryAfter: string | string[], status = 503) => {
  const verdict = judgeReply(answered(status, retryAfter), now)
  return 'askedMillis' in verdict ? verdict.askedMillis : undefined
}

test.each([
  ['5', 5000],
  [' 120 ', 120_000],
  ['0', 0],
  ['36000', 36_000_000],
  [['7', '9'], 7000],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Thu, 01 Jan 2026 11:59:30 GMT', 0],
  ['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
  ['Thu Jan  1 12:00:30 2026', 30_000],
])('Retry-After %j is honoured', (given, millis) => {
  expect(askedOf(given)).toBe(millis)
  expect(askedOf(given, 429)).toBe(millis)
})

test.each([
  '',
  'soon',
  '-5',
  '1.5',
  '1e3',
  '0x10',
  '5, 7',
  '9999999999',
  '2026-01-01T13:00:00Z',
  '1 Jan 2027',
  'Mon, 99 Foo 2027 99:99:99 GMT',
  'Thu, 01 Jan 2026 25:00:00 GMT',
  'Thu Jan  1 12:00:30 2026 PST',
])('Retry-After %j is garbage, and nothing asked for', (given) => {
  expect(askedOf(given)).toBe(0)
})

test.each([500, 502, 504, 408])('Retry-After means nothing on a %d', (status) => {
  expect(askedOf('60', status)).toBe(0)
})
