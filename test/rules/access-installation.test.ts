import { expect, test } from 'vitest'
import { readMasterKey, weaknessOf } from '../../server/access/installation/master-key-text.ts'
import { normalHostName } from '../../server/access/tenants/host-names.ts'
import { planAdvance } from '../../server/access/test-clock/advancing.ts'
import { addDuration } from '../../server/kit/duration-adding.ts'

test.each([
  ['short', 'has fewer than 32 characters'],
  [`${'x'.repeat(31)} `, 'has fewer than 32 characters'],
  ['ab'.repeat(40), 'repeats the same few characters'],
  ['abcdefg'.repeat(6), 'repeats the same few characters'],
  ['abcdefgh'.repeat(4), undefined],
  ['q3Vn0m8yRr1kU0v1bGx1b1pC2mWZ3m0fX2rYt7c0e4A=', undefined],
])('what makes the master key %j easy to guess', (text, weakness) => expect(weaknessOf(text)).toBe(weakness))

test('a master key is the bytes of its text, blanks around it aside', () => {
  const text = 'q3Vn0m8yRr1kU0v1bGx1b1pC2mWZ3m0fX2rYt7c0e4A='
  expect(readMasterKey(` ${text}\n`)).toEqual(new TextEncoder().encode(text))
})

test.each([
  ['Licences.Example.COM', 'licences.example.com'],
  ['example.com:7070', 'example.com'],
  ['example.com.', 'example.com'],
  ['localhost', 'localhost'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['a b', undefined],
  ['', undefined],
  ['-a.example', undefined],
  ['a..example', undefined],
  ['http://example.com', undefined],
  ['bücher.example', undefined],
  ['a'.repeat(64), undefined],
])('the host name of %j is %j', (text, name) => expect(normalHostName(text)).toBe(name))

test.each([
  ['2026-01-31T10:00:00.000Z', 'P1M', '2026-02-28T10:00:00.000Z'],
  ['2028-02-29T00:00:00.000Z', 'P1Y', '2029-02-28T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', 'P2M', '2027-02-28T23:59:59.999Z'],
  ['2026-01-01T00:00:00.000Z', 'P1W2DT3H4M5.5S', '2026-01-10T03:04:05.500Z'],
  ['2026-01-01T00:00:00.000Z', '7.00:00:00', '2026-01-08T00:00:00.000Z'],
  ['2026-01-01T00:00:00.000Z', 'PT0S', '2026-01-01T00:00:00.000Z'],
])('%s and %s is %s', (start, duration, end) =>
  expect(new Date(addDuration(Date.parse(start), duration)).toISOString()).toBe(end),
)

const now = Date.parse('2026-05-01T00:00:00Z')
test.each([
  [{ by: 'P3D' }, { to: Date.parse('2026-05-04T00:00:00Z') }],
  [{ to: '2026-06-01T00:00:00Z' }, { to: Date.parse('2026-06-01T00:00:00Z') }],
  [{ by: null, to: '2026-05-01T00:00:00Z' }, { to: now }],
  [{}, { pointer: '' }],
  [{ by: 'P1D', to: '2026-06-01T00:00:00Z' }, { pointer: '' }],
  [{ to: '2026-04-30T23:59:59Z' }, { pointer: '/to' }],
  [{ by: 'P999999Y' }, { pointer: '/by' }],
  [{ by: 'P9000Y' }, { pointer: '/by' }],
])('a clock advanced with %j', (asked, plan) => expect(planAdvance(now, asked)).toMatchObject(plan))
