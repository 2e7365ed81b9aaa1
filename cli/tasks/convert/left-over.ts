import { join } from 'node:path'
import { sectionOf } from '../../../catalog-schema/order.ts'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { groupItems } from '../../catalog-files/layout.ts'
import { locateItems } from '../../catalog-files/located-items.ts'
import { placeOf, type SnapshotReading } from '../../catalog-files/snapshot-reading.ts'
import type { LocatedRemark } from './joining.ts'

/**
 * The items of a catalog directory that belong to the converted products and that the conversion did not make: what an
 * earlier price list had, and what was written by hand. Offers and tags are the vendor's own and never among them.
 */
export function findLeftOver(directory: string, reading: SnapshotReading, converted: Snapshot): LocatedRemark[] {
  const made = new Set(groupItems(converted).map(({ key }) => key))
  const codes = new Set<unknown>(converted.products?.map(({ productCode }) => productCode))
  return locateItems(reading)
    .filter(({ item }) => codes.has(item.suiteCode ?? item.productCode) && !item.productVersion)
    .filter(({ key }) => !made.has(key))
    .map(({ kind, key, origin }) => {
      const { file, line, col } = placeOf(reading, origin, '', 'value')
      const message = `${key} is still in the catalog, but not in the price list: delete it if it is no longer sold, for what it speaks of may be gone, too; and retire it on the server, where an import removes nothing`
      return { file: join(directory, file), line, col, subject: `${sectionOf[kind]}.*`, message }
    })
}
