import { describe, expect, test } from 'vitest'
import { isMailSender } from '../../cli/operator/mail-sender.ts'

describe('whom letters can be from', () => {
  test.each([
    ['noreply@example.com', true],
    [' noreply@localhost ', true],
    ['Example <noreply@example.com>', true],
    ['Example Inc. <noreply@example.com>', true],
    ['"Example, Inc." <noreply@example.com>', true],
    ['Example, Inc. <noreply@example.com>', true],
    ['Example (EU) <noreply@example.com>', true],
    ['Müller & Söhne <büro@example.com>', true],
    ['<noreply@example.com>', true],
    ['Example', false],
    ['example.com', false],
    ['noreply@', false],
    ['@example.com', false],
    ['Example <noreply>', false],
    ['Example noreply@example.com', false],
    ['Example <noreply@example.com', false],
    ['Example "quoted <noreply@example.com>', false],
    ['Example: <noreply@example.com>', false],
    ['a@example.com, Example <b@example.com>', false],
    ['a@example.com, b@example.com', false],
    ['Example <a@example.com>\r\nBcc: b@example.com', false],
  ])('%j: %s', (text, expected) => {
    expect(isMailSender(text)).toBe(expected)
  })
})
