import { pointerNames } from './locating.ts'
import { resolvePlain } from './scalars.ts'
import type { ItemOrigin, SnapshotReading } from './snapshot-reading.ts'

/** A number or boolean that stands without quotes where text is wanted: what it reads as, and how to write the text. */
export interface BareScalar {
  words: string
  quoted: string
}

/** The bare number or boolean at a pointer inside an item; undefined for anything else. */
export function findBareScalar(reading: SnapshotReading, origin: ItemOrigin, pointer: string): BareScalar | undefined {
  const written = reading.readings.get(origin.file)?.sourceOf(origin.pointer + pointer)
  const value = written === undefined || /^["'|>[{]/.test(written) ? undefined : resolvePlain(written)
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const kind = typeof value === 'number' ? 'number' : 'truth value'
  return { words: `an unquoted ${written} is the ${kind} ${value}`, quoted: `'${written}'` }
}

/** The name of the field that a pointer leads to, as messages write it. */
export function fieldName(pointer: string): string {
  return `"${pointerNames(pointer).findLast((name) => !/^\d+$/.test(name)) ?? ''}"`
}
