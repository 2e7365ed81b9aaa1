import { keyOf } from '../../../catalog-schema/keys.ts'
import { type Kind, kindOfSection, type Section } from '../../../catalog-schema/order.ts'

type Item = Record<string, unknown>

/** An item that is in a file and is to say something else. */
export interface ChangedItem {
  kind: Kind
  key: string
  /** Its place in the file's section. */
  index: number
  /** Its canonical form as it is to be. */
  wanted: Item
}

/** An item that a file is to hold from now on, as it is to be written. */
export interface NewItem {
  kind: Kind
  item: Item
}

export interface FileWish {
  changed: ChangedItem[]
  added: NewItem[]
}

/**
 * The order of a section's items once others have come to it: an old item's place, or -1, -2, … for the new ones. Where
 * the items stand in the order of their keys, so do the new; else they come last.
 */
export function orderWith(section: Section, old: readonly Item[], fresh: readonly Item[]): number[] {
  const keyIn = (item: Item) => keyOf(kindOfSection[section], item)
  const keys = old.map(keyIn)
  const isOrdered = keys.every((key, index) => index === 0 || keys[index - 1]! <= key)
  const incoming = fresh.map((item, index) => ({ place: -1 - index, key: keyIn(item) }))
  incoming.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  if (!isOrdered) return [...old.keys(), ...incoming.map(({ place }) => place)]
  const order: number[] = []
  let next = 0
  for (const [place, key] of keys.entries()) {
    while (next < incoming.length && incoming[next]!.key < key) order.push(incoming[next++]!.place)
    order.push(place)
  }
  return [...order, ...incoming.slice(next).map(({ place }) => place)]
}
