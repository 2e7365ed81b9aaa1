import { identifyingField, matchKey } from '../../catalog-schema/keys.ts'
import { ruleCodes } from '../../catalog-schema/rules/codes.ts'
import type { UnframedFinding } from './findings.ts'
import type { LocatedItem } from './located-items.ts'
import { placeOf, type SnapshotReading } from './snapshot-reading.ts'

/**
 * Keys that occur twice, in one file or in two, each naming the other place with its file as people see it; and the
 * items that repeat them.
 */
export function findDuplicates(
  reading: SnapshotReading,
  items: readonly LocatedItem[],
  shownName = (name: string) => name,
) {
  const first = new Map<string, LocatedItem>()
  const repeated: LocatedItem[] = []
  const findings: UnframedFinding[] = []
  for (const located of items) {
    const { kind, key, item, origin } = located
    const field = `/${identifyingField(kind)}`
    if (typeof item[identifyingField(kind)] !== 'string') continue
    const earlier = first.get(matchKey(kind, key))
    if (earlier === undefined) {
      first.set(matchKey(kind, key), located)
      continue
    }
    repeated.push(located)
    const place = placeOf(reading, earlier.origin, field, 'value')
    findings.push({
      ...placeOf(reading, origin, field, 'value'),
      severity: 'error',
      code: ruleCodes['catalog.duplicate_key'],
      codeName: 'catalog.duplicate_key',
      key,
      pointer: origin.pointer + field,
      message: `${key} occurs twice; it is already at ${shownName(place.file)}:${place.line}:${place.col}`,
    })
  }
  return { findings, repeated }
}
