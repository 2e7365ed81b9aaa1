import { describe, expect, test, vi } from 'vitest'
import { explainCron } from '../../catalog-schema/rules/cron.ts'
import { explainKeyTemplate } from '../../catalog-schema/rules/key-template.ts'
import { explainNetwork } from '../../catalog-schema/rules/networks.ts'

describe('a network', () => {
  test.each([
    '0.0.0.0/0',
    '10.0.0.0/8',
    '192.168.1.7',
    '::/0',
    '::1',
    '2001:db8::/32',
    'fe80::1:2/64',
    '::ffff:10.0.0.1/128',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
  ])('may be %s', (text) => {
    expect(explainNetwork(text)).toBeUndefined()
  })
  test.each([
    '',
    '10.0.0',
    '10.0.0.256/8',
    '010.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '::/129',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    'g::1',
    'localhost',
    ' 10.0.0.0/8',
    '::10.0.0.1:1',
    '10.0.0.1::',
  ])('may not be %j', (text) => {
    expect(explainNetwork(text)).toBeTypeOf('string')
  })
})

describe('a key template', () => {
  test.each(['{random:5}-{random:5}', 'ACME-{year}-{seq:6}-{check}', '{productCode}{random:64}'])(
    'may be %s',
    (text) => {
      expect(explainKeyTemplate(text)).toBeUndefined()
    },
  )
  test.each([
    'plain',
    '{year}',
    '{random:0}',
    '{random:65}',
    '{random:}',
    '{random}',
    '{Random:5}',
    '{random:5',
    'random:5}',
    '{{random:5}}',
    '{random:5}{}',
    '',
  ])('may not be %j', (text) => {
    expect(explainKeyTemplate(text)).toBeTypeOf('string')
  })
})

describe('a cron schedule', () => {
  test.each(['* * * * *', '0 3 * * 1', '*/15 0-6 1,15 * *', '0 0 29 2 *', '0 8-18/2 * JAN-mar,12 Mon-FRI'])(
    'may be %s',
    (text) => {
      expect(explainCron(text)).toBeUndefined()
    },
  )
  test.each([
    '',
    '61 * * * *',
    '@reboot',
    '@daily',
    '* * * * * *',
    '* * * *',
    '*/0 * * * *',
    '0-99999999 * * * *',
    '0 0 31 2 *',
    'x * * * *',
    '0 0 L * *',
    '0 0 ? * *',
    '0 0 * * 5#2',
    '0 0 15W * *',
    '0 0 1, * *',
  ])('may not be %j', (text) => {
    expect(explainCron(text)).toBeTypeOf('string')
  })

  test('is sound, or not, whatever the time is', () => {
    vi.useFakeTimers({ now: Date.UTC(9998, 0) })
    expect(explainCron('0 0 29 2 *')).toBeUndefined()
    expect(explainCron('0 0 30 2 *')).toBe('this cron schedule never comes')
    vi.useRealTimers()
  })
})
