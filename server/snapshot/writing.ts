import { implicitSuiteCode, keyOf, type ProductName } from '../../catalog-schema/keys.ts'
import { kinds } from '../../catalog-schema/order.ts'
import type { PlannedItem } from '../../catalog-schema/plan.ts'
import { tagScopeOf } from '../../catalog-schema/planning/filling-in.ts'
import { foldTagName } from '../../catalog-schema/tag-names.ts'
import { findOwnSuites, ownSuiteRow } from '../catalog/products/own-suite.ts'
import { type Retagged, type TagScope, tagStatements } from '../catalog/records/tagging.ts'
import type { Database, Readable } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Statement } from '../kit/compiled-query.ts'
import { newId } from '../kit/ids.ts'
import type { Stamp } from '../kit/records/stamp.ts'
import { changeStatements, insertStatements, recordStatements } from '../kit/records/store.ts'
import type { Environment } from './environment.ts'
import { type HeldItem, rooms } from './rooms.ts'

/** An item about to be written, under the id of the record it replaces or a new one. */
interface ItemToWrite {
  id: string
  held: HeldItem | undefined
  before: Item | undefined
  item: Item
}

type Item = Record<string, unknown>
type NamedProduct = { productCode: string; productVersion: string | null; name: string }

/**
 * The statements that write what changes, kind by kind, parents first, with the suites that products have by themselves, and
 * at last the tags that items carry; each kind's are made when they are asked for. The names of what is new are added to
 * the environment's.
 */
export async function* planWriting(
  readable: Readable,
  { model, names, held }: Environment,
  items: readonly PlannedItem[],
  stamp: Stamp,
  store: Database['kind'],
): AsyncGenerator<Statement[]> {
  const tagIds = new Map<string, string>()
  // Written last: a database that writes what is made already has enough to do while the other kinds are made.
  const carrying: { scope: TagScope; records: Retagged[] }[] = []
  for (const kind of kinds) {
    const changed = items
      .filter((planned) => planned.kind === kind && planned.action !== 'unchanged')
      .map(({ key, before, after }): ItemToWrite => {
        const record = before === undefined ? undefined : held(kind, key)
        return { id: record?.row.id ?? newId(), held: record, before, item: after }
      })
    if (changed.length === 0) continue
    const { table, toRow, introduce } = rooms[kind]
    const tagScope = tagScopeOf[kind]
    for (const { id, held: known, item } of changed) if (!known) introduce?.(item as never, id, names)
    const rowOf = ({ id, held: known, item }: ItemToWrite) =>
      toRow(item as never, id, names, stamp, known?.row as never) as never
    const created = changed.filter((one) => !one.held).map(rowOf)
    const updated = changed.flatMap((one) => (one.held ? [{ row: rowOf(one), before: one.held.row }] : []))
    const statements = [...insertStatements(store, table, created), ...changeStatements(store, table, updated)]
    if (kind === 'tag') rememberTags([...created, ...updated.map(({ row }) => row)])
    if (kind === 'product') statements.push(...recordStatements(store, 'suites', await ownSuites(changed)))
    if (tagScope) carrying.push({ scope: tagScope, records: retagged(changed) })
    yield statements
  }
  yield carrying.flatMap(({ scope, records }) => tagStatements(store, stamp.tenantId, records, tagIdIn(scope)))

  async function ownSuites(changed: readonly ItemToWrite[]) {
    const updated = changed.flatMap((product) => (product.held ? [product.id] : []))
    const existing = await findOwnSuites(readable, stamp.tenantId, updated)
    return changed.flatMap(({ id, item }) => {
      const row = ownSuiteRow(item as unknown as NamedProduct, id, stamp, existing.get(id))
      if (row && !existing.has(id)) names.addSuite(row.id, implicitSuiteCode(item as unknown as ProductName))
      return row ?? []
    })
  }

  function rememberTags(rows: readonly Tables['tags'][]) {
    for (const { id, scope, folded_name } of rows) tagIds.set(`${scope} ${folded_name}`, id)
  }

  function tagIdIn(scope: TagScope) {
    return (name: string) => {
      const key = model.heldKey('tag', keyOf('tag', { scope, name }))
      const id = tagIds.get(`${scope} ${foldTagName(name)}`) ?? (key === undefined ? key : held('tag', key)?.row.id)
      if (id === undefined) throw new Error(`nothing is known of the tag ${scope}/${name}`)
      return id
    }
  }
}

/** The items whose tags are no longer those of their record. */
const retagged = (items: readonly ItemToWrite[]): Retagged[] =>
  items
    .map(({ id, before, item }) => ({ id, before: (before?.tags ?? []) as string[], tags: item.tags as string[] }))
    .filter(({ before, tags }) => before.length !== tags.length || before.some((name, index) => name !== tags[index]))
