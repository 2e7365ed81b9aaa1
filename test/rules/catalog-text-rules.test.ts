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
    [
      /^must be a network such as 10\.0\.0\.0\/8 or /,
      [
        '',
        '10.0.0',
        '10.0.0.256/8',
        '010.0.0.1',
        '10.0.0.0/8/8',
        '1::2::3',
        '1:2:3:4:5:6:7',
        '1:2:3:4:5:6:7:8:9',
        '1:2:3:4:5:6:7:8::',
        'g::1',
        'localhost',
        ' 10.0.0.0/8',
        '::10.0.0.1:1',
        '10.0.0.1::',
      ],
    ],
    [/^the number after the slash is 0 to (32|128)$/, ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/08', '::/129']],
  ])('may not be what is told %s', (words, texts) => {
    for (const text of texts) expect(explainNetwork(text)).toMatch(words)
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
    [/^every code would be the same/, ['plain', '{year}', '']],
    [/ is none of \{random:N\}, /, ['{random:0}', '{random:}', '{random}', '{Random:5}', '{random:5}{}']],
    [/^a part is at most 64 characters long$/, ['{random:65}']],
    [/^a brace is open/, ['{random:5', 'random:5}', '{{random:5}}']],
  ])('may not be what is told %s', (words, texts) => {
    for (const text of texts) expect(explainKeyTemplate(text)).toMatch(words)
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
    [/^a cron schedule has five fields, not \d$/, ['', '@reboot', '@daily', '* * * * * *', '* * * *']],
    [/^this cron schedule never comes$/, ['0 0 31 2 *']],
    [/^this is no cron schedule: minute, /, ['61 * * * *', '*/0 * * * *', '0-99999999 * * * *', 'x * * * *']],
    [/^this is no cron schedule: /, ['0 0 L * *', '0 0 ? * *', '0 0 * * 5#2', '0 0 15W * *', '0 0 1, * *']],
  ])('may not be what is told %s', (words, texts) => {
    for (const text of texts) expect(explainCron(text)).toMatch(words)
  })

  test('is sound, or not, whatever the time is', () => {
    vi.useFakeTimers({ now: Date.UTC(9998, 0) })
    expect(explainCron('0 0 29 2 *')).toBeUndefined()
    expect(explainCron('0 0 30 2 *')).toBe('this cron schedule never comes')
    vi.useRealTimers()
  })
})
