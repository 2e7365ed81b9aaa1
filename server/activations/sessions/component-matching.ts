import type { LicensePolicy } from '../../entitlements/policies/effective.ts'

/** One-way hashes of what a device is made of, by name, such as MachineName or MacAddress. */
export type Components = Readonly<Record<string, string>>

/**
 * Of the devices that are known, the one that has come back with another fingerprint: at least one, two, or more than half of
 * the components that it sends are those of the known device. Of several it is the one with the most of them, then the oldest:
 * a component that many machines share must not hand one of them the seat of another. MatchAll asks for the fingerprint alone,
 * so nothing else will do.
 */
export function findSameDevice<Known extends { id: string; components: string | null }>(
  strategy: LicensePolicy['componentMatchingStrategy'],
  sent: Components,
  known: readonly Known[],
): Known | undefined {
  const needed = neededOf(strategy, sent)
  const alike = known.map((device) => ({ device, same: likenessOf(sent, device) })).filter(({ same }) => same >= needed)
  alike.sort((one, other) => other.same - one.same || (one.device.id < other.device.id ? -1 : 1))
  return alike[0]?.device
}

/** How many of the components that a device sends must be those of a device for it to be the same. */
export function neededOf(strategy: LicensePolicy['componentMatchingStrategy'], sent: Components): number {
  const most = Math.floor(Object.keys(sent).length / 2) + 1
  return { MatchAll: Number.POSITIVE_INFINITY, MatchAny: 1, Two: 2, Most: most }[strategy]
}

/** How many of the components that a device sends are those of a known one. */
export function likenessOf(sent: Components, { components }: { components: string | null }): number {
  const known = JSON.parse(components ?? '{}') as Components
  return Object.keys(sent).filter((name) => Object.hasOwn(known, name) && known[name] === sent[name]).length
}
