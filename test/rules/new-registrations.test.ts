import { expect, test } from 'vitest'
import { recordRegistration } from '../../server/activations/registrations/limiting.ts'

const now = Date.parse('2026-01-05T00:00:00Z')
const isTaken = (id: string, ip: string, email: string, at = now) => {
  try {
    recordRegistration({ tenant: { id }, ip, now: at } as Parameters<typeof recordRegistration>[0], email)
    return true
  } catch {
    return false
  }
}

test('a network registers a thousand addresses an hour, whichever of its addresses asks, and others as many', () => {
  for (let at = 0; at < 1000; at++) isTaken('one', `2001:db8::${at.toString(16)}`, `ada${at}@x.example`)
  expect(isTaken('one', '2001:db8::ffff', 'eve@x.example')).toBe(false)
  expect(isTaken('one', '2001:db8:1::1', 'eve@x.example')).toBe(true)
  expect(isTaken('two', '2001:db8::1', 'eve@x.example')).toBe(true)
  expect(isTaken('one', '2001:db8::1', 'eve@x.example', now + 3_600_000)).toBe(true)
})
