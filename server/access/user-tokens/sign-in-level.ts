import type { SignInLevel } from './claims.ts'

/** What each method of signing in asks for (RFC 8176 §2): something known, something had, something that one is. */
const factors: Record<string, 'known' | 'had' | 'being'> = {
  pwd: 'known',
  pin: 'known',
  kba: 'known',
  otp: 'had',
  sms: 'had',
  tel: 'had',
  sc: 'had',
  hwk: 'had',
  swk: 'had',
  pop: 'had',
  face: 'being',
  fpt: 'being',
  iris: 'being',
  retina: 'being',
  vbm: 'being',
}

/** How well a sign-in at an outside issuer proved who somebody is: MultiFactor when it says so (`mfa`) or names methods of two different factors, else EmailVerified when the user's own address is known to be theirs. */
export function signInLevelOf(said: { emailVerified: boolean; amr: readonly string[] }): SignInLevel {
  const asked = new Set(said.amr.flatMap((method) => (Object.hasOwn(factors, method) ? [factors[method]] : [])))
  if (said.amr.includes('mfa') || asked.size > 1) return 'MultiFactor'
  return said.emailVerified ? 'EmailVerified' : 'SignedIn'
}
