import { expect, test } from 'vitest'
import { compileCheck } from '../../catalog-schema/checker.ts'
import { deliveryOf, Email, foldEmail, isSameMailbox } from '../../server/access/users/email-address.ts'

test.each([
  ['letter case', 'Ada@Example.COM', 'ada@example.com'],
  ['letter case beyond ASCII', 'ÄRGER@MÜLLER.de', 'ärger@müller.de'],
  ['a letter and its accent, composed or not', 'a\u0308rger@mu\u0308ller.de', 'ärger@müller.de'],
  ['letter case beside what cannot be folded', 'vİctim@Example.com', 'vİctim@example.COM'],
])('%s makes no other mailbox', (_what, one, other) => {
  expect(isSameMailbox(one, other)).toBe(true)
})

test.each([
  ['a capital I with a dot', 'vİctim@example.com', 'victim@example.com'],
  ['the same of two characters', 'vI\u0307ctim@example.com', 'victim@example.com'],
  ['the sign of Kelvin', 'mi\u212ae@example.com', 'mike@example.com'],
  ['a capital I with a dot in the domain', 'boss@gİthub.example', 'boss@github.example'],
  ['a long s', 'bo\u017fs@example.com', 'boss@example.com'],
])('%s makes another mailbox', (_what, one, other) => {
  expect(isSameMailbox(one, other)).toBe(false)
})

test('an address has at most 254 characters', () => {
  const check = compileCheck(Email('An address.'))
  const long = `${'a'.repeat(242)}@example.com`
  expect([check(long), check(`a${long}`).length]).toEqual([[], 1])
})

test('no character beyond ASCII is a letter of ASCII in another case', () => {
  const found: string[] = []
  for (let code = 0x80; code < 0x11_0000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const name = String.fromCodePoint(code)
    // Two that are one are one in some case or form.
    const forms = [
      name.normalize('NFKC'),
      name.normalize('NFC'),
      name.toLowerCase(),
      name.toUpperCase(),
      foldEmail(name),
    ]
    for (const letter of new Set(forms.join('').match(/[\0-\x7f]/g)))
      if (isSameMailbox(name, letter)) found.push(`${name} ${letter}`)
  }
  expect(found).toEqual([])
})

test.each([
  ['dots of other scripts', 'ada@mail。example．org', 'ada@mail.example.org'],
  ['wide letters and what nobody sees', 'Ada@ｅxam\u00adple.org', 'ada@example.org'],
  ['the root', 'ada@example.org.', 'ada@example.org'],
  ['Punycode', 'ada@MÜLLER.de', 'ada@xn--mller-kva.de'],
])('%s in the domain leads a letter nowhere else', (_what, one, other) => {
  expect(deliveryOf(one)).toBe(deliveryOf(other))
})

test('a joiner in the domain leads it elsewhere, and what is no domain is counted as it is', () => {
  expect(deliveryOf('a@نامه\u200cای.example')).not.toBe(deliveryOf('a@نامهای.example'))
  expect(deliveryOf('a@b|c')).toBe('a@b|c')
})
