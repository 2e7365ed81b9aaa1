import { join } from 'node:path'
import { matchKey } from '../../../catalog-schema/keys.ts'
import { sectionOf } from '../../../catalog-schema/order.ts'
import { locateItems } from '../../catalog-files/located-items.ts'
import { placeOf, type SnapshotReading } from '../../catalog-files/snapshot-reading.ts'
import type { LocatedRemark } from './joining.ts'

/** The items of a catalog directory that stand in the files just written and, moved there by hand, in another one too. */
export function findDoubled(
  directory: string,
  reading: SnapshotReading,
  writtenFiles: readonly string[],
): LocatedRemark[] {
  const items = locateItems(reading).map(({ kind, key, origin }) => {
    return { kind, key, matched: matchKey(kind, key), ...placeOf(reading, origin, '', 'value') }
  })
  const isWritten = ({ file }: { file: string }) => writtenFiles.includes(file)
  const written = new Map(items.filter(isWritten).map(({ matched, file }) => [matched, file]))
  return items
    .filter((item) => written.has(item.matched) && !isWritten(item))
    .map(({ kind, key, matched, file, line, col }) => {
      const message = `${key} is in ${join(directory, written.get(matched)!)} too, as the price list has it now: take it out here, for a key stands once`
      return { file: join(directory, file), line, col, subject: `${sectionOf[kind]}.*`, message }
    })
}
