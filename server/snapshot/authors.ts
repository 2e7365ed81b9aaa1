import { changesBetween } from '../../catalog-schema/canonical.ts'
import { keyOf, matchKey } from '../../catalog-schema/keys.ts'
import { mentionsOf } from '../../catalog-schema/mentions.ts'
import type { CatalogModel } from '../../catalog-schema/model.ts'
import { tagScopeOf } from '../../catalog-schema/planning/filling-in.ts'
import type { Readable } from '../database/database.ts'
import { yes } from '../kit/flags.ts'
import { isAmong, listed } from '../kit/listed-values.ts'
import type { Measured } from './baseline.ts'
import { findKeyHistories, type Holder, type Named, type Write } from './key-histories.ts'

/** An item that is there, with the last write of its record. */
interface Live extends Named {
  id: string
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
    const row = rowOf(item)
    return row ? [{ ...item, id: row.id, own: writeOf(item)! }] : []
  })
  const tagsGiven = await readTagsGiven(readable, tenantId, live, importedAt)
  const namedBy = new Map(
    live.map((item) => {
      const before = namesIn(baseline, item, tagsGiven.get(item.id))
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
    // It differs by what it names all the same: a name that went from one record to another, or a tag's letter case.
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

/** What an item of a catalog names, with what that is named with in turn: a product for its own suite, and the item's tags. */
function namesIn(model: CatalogModel, { kind, key }: Named, tagsGiven?: readonly string[]): Named[] {
  const item = model.find(kind, key)
  const mentioned = item ? mentionsOf(kind, item, model.suiteText) : []
  const named = mentioned.flatMap((one) => [one, ...mentionsOf(one.kind, one.named, model.suiteText)])
  const tags = tagsGiven ?? (item?.tags as string[] | undefined) ?? []
  return eachOnce([
    ...named.map((one) => {
      const product = one.kind === 'suite' ? model.ownSuiteOf(String(one.named.code)) : undefined
      return product === undefined ? one : { kind: 'product' as const, key: `product:${product}` }
    }),
    ...tags.map((name) => ({ kind: 'tag' as const, key: keyOf('tag', { scope: tagScopeOf[kind], name }) })),
  ])
}

/**
 * The tags that records were given last, by record id, where that was since the last import and a tag was deleted later: the
 * audit log has them, the records no longer do.
 */
async function readTagsGiven(
  readable: Readable,
  tenantId: string,
  items: readonly Live[],
  importedAt: number,
): Promise<ReadonlyMap<string, string[]>> {
  const tagged = items.filter(({ kind, own }) => tagScopeOf[kind] !== undefined && own.at > importedAt)
  if (tagged.length === 0) return new Map()
  const deleted = await readable
    .selectFrom('tags')
    .select('updated_at')
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', yes)
    .orderBy('updated_at', 'desc')
    .executeTakeFirst()
  const ids = tagged.filter(({ own }) => own.at <= Number(deleted?.updated_at ?? -1)).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const entries = await readable
    .selectFrom('audit_entries')
    .select(['record_id', 'after'])
    .where('tenant_id', '=', tenantId)
    .where(isAmong(readable, 'record_id', listed(readable, ids)))
    .where('occurred_at', '>', importedAt)
    .where('after', 'like', '%tags":%')
    .orderBy('occurred_at')
    .orderBy('id')
    .execute()
  return new Map(
    entries.flatMap(({ record_id, after }) => {
      const fields = JSON.parse(after!) as Record<string, string[] | undefined>
      const tags = fields['/tags'] ?? fields.tags
      return tags ? [[record_id!, tags] as const] : []
    }),
  )
}
