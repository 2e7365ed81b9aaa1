import type { SessionRow } from './licensed.ts'

type Fingerprints = Pick<SessionRow, 'fingerprint' | 'former_fingerprints'>

/** Of what an application makes up anew each time, no list may grow without end. */
const mostRemembered = 100

/** Every fingerprint that a session was activated with, the latest first. */
export const fingerprintsOf = ({ fingerprint, former_fingerprints }: Fingerprints): string[] =>
  former_fingerprints === null ? [fingerprint] : [fingerprint, ...(JSON.parse(former_fingerprints) as string[])]

/** The former fingerprints that a session has, as JSON, once it is activated with this one; null when it never had another. */
export function formerWith(fingerprint: string, session: Fingerprints | undefined): string | null {
  if (!session || session.fingerprint === fingerprint) return session?.former_fingerprints ?? null
  const former = fingerprintsOf(session).filter((one) => one !== fingerprint)
  return JSON.stringify(former.slice(0, mostRemembered))
}

/** Of these sessions the oldest that was activated with this fingerprint. */
export const findActivatedWith = <Known extends Fingerprints & { id: string }>(
  fingerprint: string,
  known: readonly Known[],
): Known | undefined => oldestOf(known.filter((session) => fingerprintsOf(session).includes(fingerprint)))

/** Ids are in the order of time. */
export const oldestOf = <Known extends { id: string }>(known: readonly Known[]): Known | undefined =>
  known.toSorted((one, other) => (one.id < other.id ? -1 : 1))[0]
