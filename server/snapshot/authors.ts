import { changesBetween } from '../../catalog-schema/canonical.ts'
import { matchKey } from '../../catalog-schema/keys.ts'
import { mentionsOf } from '../../catalog-schema/mentions.ts'
import type { CatalogModel } from '../../catalog-schema/model.ts'
import type { Readable } from '../database/database.ts'
import type { Measured } from './baseline.ts'
import { findKeyHistories, type Holder, type Named, type Write } from './key-histories.ts'

/** An item that is there, with the last write of its record. */
interface Live extends Named {
  own: Write
}

/**
 * Who changed these items last, and when: whoever wrote an item's record, or, later and since the last import, gave another
 * name to what the item names, or deleted it; of an item that is gone whoever gave its key up.
 */
export async function readAuthors(
  readable: Readable,
  tenantId: string,
  { environment, baseline, since }: Measured,
  items: readonly Named[],
): Promise<(item: Named) => Write | undefined> {
  const { model } = environment
  const importedAt = since?.importedAt ?? -1
  const rowOf = ({ kind, key }: Named) => environment.held(kind, model.heldKey(kind, key) ?? key)?.row
  const writeOf = (item: Named): Write | undefined => {
    const row = rowOf(item)
    return row && { at: Number(row.updated_at), by: row.updated_by }
  }
  const live = items.flatMap((item): Live[] => {
    const own = writeOf(item)
    return own ? [{ ...item, own }] : []
  })
  const namedBy = new Map(
    live.map((item) => {
      const before = namesIn(baseline, item)
      const after = namesIn(model, item)
      const gone = before.filter((name) => !model.find(name.kind, name.key))
      const isWrittenLater = (name: Named) => (rowOf(name)?.updated_at ?? -1) > item.own.at
      const come = after.filter((name) => !baseline.find(name.kind, name.key) && isWrittenLater(name))
      const isUntouched = item.own.at <= importedAt && hasChanged(item, baseline, model)
      return [matched(item), { gone, come, before, after, isUntouched }] as const
    }),
  )
  const names = [...namedBy.values()].flatMap(({ gone, come, before, after, isUntouched }) =>
    isUntouched ? [...before, ...after] : [...gone, ...come],
  )
  const lost = items.filter((item) => !rowOf(item))
  const histories = await findKeyHistories(readable, tenantId, eachOnce([...lost, ...names]), importedAt)
  // What the last import did not leave may have been given up before it.
  const untold = lost.filter((item) => !baseline.find(item.kind, item.key) && !histories.has(matched(item)))
  const earlier = await findKeyHistories(readable, tenantId, untold, -1)
  const historyOf = (name: Named) => histories.get(matched(name))
  const own = new Map(live.map((item) => [matched(item), item.own]))
  const isSince = (write: Write | undefined): write is Write => write !== undefined && write.at > importedAt
  return (item) => {
    const last = own.get(matched(item))
    if (!last) {
      const givenUp = (historyOf(item) ?? earlier.get(matched(item)))?.givenUp
      return baseline.find(item.kind, item.key) && !isSince(givenUp) ? undefined : givenUp
    }
    const { gone, come, before, after, isUntouched } = namedBy.get(matched(item))!
    // What has another name by now may not be named any more.
    const named = new Set(after.map(matched))
    const isNamed = (holder: Holder | undefined) => holder?.now === undefined || named.has(holder.now)
    const holders = [...gone.map((name) => historyOf(name)?.had), ...come.map((name) => historyOf(name)?.has)]
    const renamed = holders.filter(isNamed).map((holder) => holder?.renamed)
    const author = latestOf([last, ...renamed.filter(isSince)])
    if (!isUntouched || isSince(author)) return author
    // It differs by what it names all the same: a name that went from one record to another.
    const moved = [...before.map((name) => historyOf(name)?.had), ...after.map((name) => historyOf(name)?.has)]
    const renamings = moved.map((holder) => holder?.renamed).filter(isSince)
    const writes = [...before, ...after].map(writeOf).filter(isSince)
    return latestOf([last, ...(renamings.length > 0 ? renamings : writes)])
  }
}

const latestOf = ([first, ...more]: [Write, ...Write[]]): Write =>
  more.reduce((latest, write) => (latest.at > write.at ? latest : write), first)

/** Whether an item is another than the last import left. */
function hasChanged({ kind, key }: Named, baseline: CatalogModel, model: CatalogModel): boolean {
  const [before, after] = [baseline.find(kind, key), model.find(kind, key)]
  return !before || !after || changesBetween(kind, before, after).length > 0
}

const matched = ({ kind, key }: Named) => matchKey(kind, key)

const eachOnce = (named: readonly Named[]): Named[] => [
  ...new Map(named.map(({ kind, key }) => [matchKey(kind, key), { kind, key }])).values(),
]

/** What an item of a catalog names, with what that is named with in turn: a product for its own suite. What becomes of its tags is a change of its record. */
function namesIn(model: CatalogModel, { kind, key }: Named): Named[] {
  const item = model.find(kind, key)
  const mentioned = item ? mentionsOf(kind, item, model.suiteText) : []
  const named = mentioned.flatMap((one) => [one, ...mentionsOf(one.kind, one.named, model.suiteText)])
  return eachOnce(
    named.map((one) => {
      const product = one.kind === 'suite' ? model.ownSuiteOf(String(one.named.code)) : undefined
      return product === undefined ? one : { kind: 'product' as const, key: `product:${product}` }
    }),
  )
}
