import { matchKey } from '../../catalog-schema/keys.ts'
import { type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { createNaming } from './file-names.ts'
import { createKeyOf, type KeyOf, type LocatedItem } from './located-items.ts'

/** An item with its key and the group of items that share its file in the default layout. */
export interface GroupedItem {
  kind: Kind
  key: string
  item: Record<string, unknown>
  folder: string
  code: string
}

/** The items that each file is to hold, by file name. */
export type Placement = Map<string, GroupedItem[]>

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const versioned = (code: unknown, version: unknown) => (text(version) ? `${text(code)}@${text(version)}` : text(code))

/** Every item of a snapshot with its group: a product's features and metrics go with it, a suite's plan sets too. */
export function groupItems(snapshot: Snapshot, keyOf: KeyOf = createKeyOf(snapshot)): GroupedItem[] {
  return kinds.flatMap((kind) =>
    (snapshot[sectionOf[kind]] ?? []).map((item) => ({ kind, key: keyOf(kind, item), item, ...groupOf(kind, item) })),
  )
}

function groupOf(kind: Kind, item: Record<string, unknown>): { folder: string; code: string } {
  switch (kind) {
    case 'tag':
      return { folder: '', code: 'tags' }
    case 'product':
    case 'feature':
    case 'monitoredAsset':
      return { folder: 'products/', code: versioned(item.productCode, item.productVersion) }
    case 'suite':
      return { folder: 'suites/', code: text(item.code) }
    case 'planSet':
      return { folder: 'suites/', code: text(item.suiteCode) }
    case 'addOn':
      return { folder: 'add-ons/', code: text(item.code) }
    case 'entitlementOffer':
      return { folder: 'offers/', code: versioned(item.name, item.version) }
    case 'ratingCampaign':
      return { folder: '', code: 'rating-campaigns' }
  }
}

/**
 * The file of every item: the one that holds its key already, else the one that holds others of its kind in its group,
 * else others of its group, else a new one named after the group.
 */
export function placeItems(
  items: readonly GroupedItem[],
  existing: readonly LocatedItem[],
  existingNames: Iterable<string>,
): Placement {
  const homes = new Map(existing.map(({ kind, key, origin }) => [matchKey(kind, key), origin.file]))
  const groupHomes = new Map<string, string>()
  for (const { kind, key, folder, code } of items) {
    const home = homes.get(matchKey(kind, key))
    const group = `${folder}\0${code}`
    for (const name of [group, `${group}\0${kind}`])
      if (home !== undefined && !groupHomes.has(name)) groupHomes.set(name, home)
  }
  const nameFor = createNaming(existingNames)
  const placement: Placement = new Map()
  for (const item of items) {
    const group = `${item.folder}\0${item.code}`
    const home =
      homes.get(matchKey(item.kind, item.key)) ??
      groupHomes.get(`${group}\0${item.kind}`) ??
      groupHomes.get(group) ??
      nameFor(item.folder, item.code, '.yaml')
    if (!groupHomes.has(group)) groupHomes.set(group, home)
    const placed = placement.get(home)
    if (placed === undefined) placement.set(home, [item])
    else placed.push(item)
  }
  return placement
}
