import type { LicensePolicy } from '../../entitlements/policies/effective.ts'

/** One-way hashes of what a device is made of, by name, such as MachineName or MacAddress. */
export type Components = Readonly<Record<string, string>>

/**
 * Whether a device whose fingerprint has changed is the one that is known: at least one, two, or more than half of the
 * components that it sends are those of the known device. MatchAll asks for the fingerprint alone, so nothing else will do.
 */
export function isSameDevice(
  strategy: LicensePolicy['componentMatchingStrategy'],
  sent: Components,
  known: Components,
): boolean {
  if (strategy === 'MatchAll') return false
  const names = Object.keys(sent)
  const same = names.filter((name) => Object.hasOwn(known, name) && known[name] === sent[name]).length
  if (strategy === 'Most') return same > names.length / 2
  return same >= (strategy === 'Two' ? 2 : 1)
}
