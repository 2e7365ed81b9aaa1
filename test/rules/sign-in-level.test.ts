import { expect, test } from 'vitest'
import { signInLevelOf } from '../../server/access/user-tokens/sign-in-level.ts'

test.each([
  [false, [], 'SignedIn'],
  [true, [], 'EmailVerified'],
  [false, ['pwd'], 'SignedIn'],
  [true, ['pwd'], 'EmailVerified'],
  [true, ['otp'], 'EmailVerified'],
  [true, ['pwd', 'pin'], 'EmailVerified'],
  [true, ['sms', 'otp'], 'EmailVerified'],
  [true, ['pwd', 'geo', 'rba'], 'EmailVerified'],
  [true, ['constructor', '__proto__'], 'EmailVerified'],
  [false, ['mfa'], 'MultiFactor'],
  [true, ['pwd', 'mfa'], 'MultiFactor'],
  [false, ['pwd', 'otp'], 'MultiFactor'],
  [true, ['hwk', 'pin'], 'MultiFactor'],
  [true, ['hwk', 'fpt'], 'MultiFactor'],
])('with the address verified: %s, and the methods %j, it is %s', (emailVerified, amr, level) => {
  expect(signInLevelOf({ emailVerified, amr })).toBe(level)
})
