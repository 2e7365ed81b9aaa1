import { expect, test } from 'vitest'
import { foldEmail } from '../../server/access/users/email-address.ts'

test.each([
  ['letter case', 'Ada@Example.COM', 'ada@example.com'],
  ['letter case beyond ASCII', 'ÄRGER@MÜLLER.de', 'ärger@müller.de'],
  ['a letter and its accent, composed or not', 'a\u0308rger@mu\u0308ller.de', 'ärger@müller.de'],
  ['dots of other scripts in the domain', 'ada@mail。example．org', 'ada@mail.example.org'],
  ['wide letters and what nobody sees in the domain', 'ada@ｅxam\u00adple.org', 'ada@example.org'],
  ['the root of the domain', 'ada@example.org.', 'ada@example.org'],
])('%s makes no other mailbox', (_what, one, other) => {
  expect(foldEmail(one)).toBe(foldEmail(other))
})

test.each([
  ['a capital I with a dot', 'vİctim@example.com', 'victim@example.com'],
  ['the same of two characters', 'vI\u0307ctim@example.com', 'victim@example.com'],
  ['the sign of Kelvin', 'mi\u212ae@example.com', 'mike@example.com'],
  ['a capital I with a dot in the domain', 'boss@gİthub.example', 'boss@github.example'],
  ['a long s', 'bo\u017fs@example.com', 'boss@example.com'],
  ['what nobody sees in the name', 'a\u00adda@example.com', 'ada@example.com'],
])('%s makes another mailbox', (_what, one, other) => {
  expect(foldEmail(one)).not.toBe(foldEmail(other))
})

test('no character beyond ASCII becomes one of ASCII in a name', () => {
  const found: string[] = []
  for (let code = 0x80; code < 0x11_0000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const name = String.fromCodePoint(code)
    if (/[\0-\x7f]/.test(foldEmail(`${name}@x`).slice(0, -2))) found.push(name)
  }
  expect(found).toEqual([])
})
