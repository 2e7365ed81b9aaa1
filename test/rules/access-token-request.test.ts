import { describe, expect, test } from 'vitest'
import { readBasicCredentials } from '../../server/access/token-endpoint/basic-credentials.ts'
import { FormRefused, readForm } from '../../server/access/token-endpoint/form.ts'
import { getCredentials } from '../../server/access/token-endpoint/presented-credentials.ts'
import { TokenRefused } from '../../server/access/token-endpoint/refusal.ts'
import { grantScopes } from '../../server/access/token-endpoint/requested-scope.ts'
import { FailureLimit } from '../../server/kit/failure-limit.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const codeOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof TokenRefused) return error.code
    throw error
  }
  return undefined
}

describe('Basic credentials are form-decoded after base64', () => {
  test.each([
    ['id:secret', 'id', 'secret'],
    ['cl%3Aient%2B1:s%26cr+et', 'cl:ient+1', 's&cr et'],
    ['id:a:b', 'id', 'a:b'],
    ['%C3%A9:%25', 'é', '%'],
  ])('%s', (text, clientId, clientSecret) =>
    expect(readBasicCredentials(basic(text))).toEqual({ clientId, clientSecret }),
  )
  test.each([
    basic('no colon'),
    basic(':secret'),
    basic('id:'),
    basic('id:%zz'),
    basic('id:%00'),
    'Basic',
    'Basic !!!',
    'Bearer abc',
    `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString('base64')}`,
  ])('%s holds none', (header) => expect(readBasicCredentials(header)).toBeUndefined())
})

describe('a form', () => {
  const read = (text: string) => Object.fromEntries(readForm(new TextEncoder().encode(text)))
  test('gives its parameters decoded, empty ones omitted', () =>
    expect(read('a=b+c&d=%26&e=&f&&g=1=2')).toEqual({ a: 'b c', d: '&', g: '1=2' }))
  test.each(['a=1&a=2', 'a=&a=2', 'a=%zz', 'a=%ff', 'a=%00', `a=${'x'.repeat(70_000)}`])('%.20s is refused', (text) =>
    expect(() => read(text)).toThrow(FormRefused),
  )
})

describe('one way to show credentials', () => {
  const form = (values: Record<string, string>) => new Map(Object.entries(values))
  test.each([
    [[basic('i:s')], {}, undefined],
    [[basic('i:s')], { client_id: 'i' }, undefined],
    [[], { client_id: 'i', client_secret: 's' }, undefined],
    [[basic('i:s')], { client_id: 'i', client_secret: 's' }, 'invalid_request'],
    [[basic('i:s')], { client_secret: 's' }, 'invalid_request'],
    [[basic('i:s')], { client_id: 'other' }, 'invalid_request'],
    [[basic('i:s'), basic('i:s')], {}, 'invalid_request'],
    [['Bearer x'], {}, 'invalid_client'],
    [[], {}, 'invalid_client'],
    [[], { client_id: 'i' }, 'invalid_client'],
    [[], { client_secret: 's' }, 'invalid_client'],
  ])('%j with %j', (headers, values, refusal) =>
    expect(codeOf(() => getCredentials(headers, form(values)))).toBe(refusal),
  )
})

describe('the requested scope', () => {
  test.each([
    [undefined, []],
    ['admin.tags:read', ['admin.tags:read']],
    ['admin.tags:read operational.users:read', ['admin.tags:read']],
    ['admin.tags:read admin.tags:read', ['admin.tags:read']],
    ['admin.*:*', ['admin.*:read', 'admin.tags:*']],
  ])('%s gives %j', (requested, granted) =>
    expect(grantScopes(requested, ['admin.*:read', 'admin.tags:*'])).toEqual(granted),
  )
  test.each([
    'a"b',
    'a\\b',
    'a\nb',
    'admin.tags:read ',
    ' admin.tags:read',
    'admin.tags:read  admin.tags:read',
    'é',
    'operational.*:*',
    'admin.gadgets:read',
    'ADMIN.TAGS:READ',
    '*',
    Array.from({ length: 5000 }, (_, n) => `s${n}`).join(' '),
  ])('%.30j is an invalid_scope', (requested) =>
    expect(codeOf(() => grantScopes(requested, ['admin.*:read', 'admin.tags:*']))).toBe('invalid_scope'),
  )
})

describe('a limit of failures', () => {
  test('lets as many through in a window as it says, and counts each key for itself', () => {
    const limit = new FailureLimit(3, 60_000, 10)
    expect([1, 2, 3, 4].map((at) => limit.record('a', at))).toEqual([true, true, true, false])
    expect(limit.record('b', 5)).toBe(true)
    expect(limit.secondsLeft('a', 30_001)).toBe(30)
    expect(limit.record('a', 60_000)).toBe(false)
    expect(limit.record('a', 60_001)).toBe(true)
  })
  test('goes on through what was asked before its window began and is counted after', () => {
    const limit = new FailureLimit(1, 60_000, 10)
    expect([100, 99, 101].map((at) => limit.record('a', at))).toEqual([true, false, false])
    expect(limit.secondsLeft('a', 101)).toBe(60)
  })
  test('forgets the earliest key rather than growing', () => {
    const limit = new FailureLimit(1, 60_000, 2)
    for (const key of ['a', 'b', 'c']) limit.record(key, 1)
    expect(limit.record('c', 2)).toBe(false)
    expect(limit.record('a', 2)).toBe(true)
  })
})
