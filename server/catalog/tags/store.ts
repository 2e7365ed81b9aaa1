import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed, valuesOf } from '../../kit/listed-values.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { commonFilterFields, filterFieldsOf } from '../../kit/records/columns.ts'
import type { Stamp } from '../../kit/records/stamp.ts'
import { type ListSource, type RecordTable, softDelete } from '../../kit/records/store.ts'
import type { TagScope } from '../records/tagging.ts'
import { tagStorage } from './items.ts'

export type CountedTag = Tables['tags'] & { usage_count: number }

export const tagFilterFields = [
  ...commonFilterFields('tags'),
  ...filterFieldsOf('tags', tagStorage),
  { name: 'usageCount', column: 'tags.usage_count', nullable: false, type: 'integer' as const },
]

/** A tenant's tags, each with the number of records that carry it. */
const countedTags = (readable: Readable, tenantId: string) =>
  readable
    .selectFrom('tags')
    .selectAll('tags')
    .select((eb) =>
      eb
        .selectFrom('tag_assignments')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('tag_assignments.tag_id', '=', 'tags.id')
        .where('tag_assignments.tenant_id', '=', tenantId)
        .as('usage_count'),
    )
    .where('tags.tenant_id', '=', tenantId) as unknown as SelectQueryBuilder<Tables, 'tags', CountedTag>

export const tagSource: ListSource<CountedTag> = {
  table: 'tags',
  fields: tagFilterFields,
  rows: (read, tenantId) => countedTags(read, tenantId) as never,
}

const countedTagById = compileOnce((readable, { tenantId, id }: { tenantId: string; id: string }) =>
  countedTags(readable, tenantId).where('tags.id', '=', id).where('tags.is_deleted', '=', no),
)

/** A live tag with its count; throws the not-found problem. */
export async function getTag(readable: Readable, tenantId: string, id: string): Promise<CountedTag> {
  const [row] = await countedTagById(readable, { tenantId, id: id.toLowerCase() })
  if (!row) throw recordNotFound('tag')
  return row
}

/** The live tag of a scope under a name, letter case aside. */
export const findTagByName = (readable: Readable, tenantId: string, scope: string, foldedName: string) =>
  readable
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('scope', '=', scope)
    .where('folded_name', '=', foldedName)
    .where('is_deleted', '=', no)
    .executeTakeFirst()

/** The records that carry a tag. */
export async function carriersOf(readable: Readable, tenantId: string, tagId: string): Promise<string[]> {
  const rows = await readable
    .selectFrom('tag_assignments')
    .select('record_id')
    .where('tenant_id', '=', tenantId)
    .where('tag_id', '=', tagId)
    .execute()
  return rows.map(({ record_id }) => record_id)
}

/** How many assignments one statement changes: there may be hundreds of thousands, and requests have their turn in between. */
const mostAtOnce = 1000

async function inSlices(recordIds: readonly string[], change: (slice: unknown) => Promise<unknown>, tx: Tx) {
  for (let start = 0; start < recordIds.length; start += mostAtOnce) {
    await change(listed(tx, recordIds.slice(start, start + mostAtOnce)))
    await nextTurn()
  }
}

/** Gives a tag to records that have it not. */
export const giveTag = (tx: Tx, tenantId: string, tagId: string, recordIds: readonly string[]): Promise<void> =>
  inSlices(
    recordIds,
    (slice) =>
      sql`insert into tag_assignments (tenant_id, record_id, tag_id)
select cast(${tenantId} as text), given.value, cast(${tagId} as text) from ${valuesOf(tx, slice)} as given`.execute(tx),
    tx,
  )

/** Whose records carry the tags of each vocabulary. Entitlements stand above the catalog; what tags they carry is of it all the same. */
const carrying: Record<TagScope, readonly RecordTable[]> = {
  Product: ['products', 'metrics'],
  FeatureCatalog: ['features'],
  Entitlement: ['entitlements'],
}

/**
 * Moves the revision of live records that carry a tag and from now on show another name for it, or none: who read them before
 * is told so. They are locked in the order of their ids, as by whoever else changes several entitlements.
 */
export async function moveCarriers(
  tx: Tx,
  scope: string,
  recordIds: readonly string[],
  { tenantId, now, actor }: Stamp,
): Promise<void> {
  for (const table of carrying[scope as TagScope] as readonly 'tags'[])
    await inSlices(
      recordIds.toSorted(),
      async (slice) => {
        const ofTenant = isTenants(tx, tenantId)
        const live = tx.selectFrom(table).select('id').where(ofTenant).where('is_deleted', '=', no)
        const rows = await live
          .where(isAmong(tx, 'id', slice))
          .orderBy('id')
          .forNoKeyUpdate()
          .execute()
        const ids = rows.map(({ id }) => id)
        await tx
          .updateTable(table)
          .set((eb) => ({ updated_at: now, updated_by: actor, revision_number: eb('revision_number', '+', 1) }))
          .where(ofTenant)
          .where(isAmong(tx, 'id', listed(tx, ids)))
          .execute()
      },
      tx,
    )
}

/** Deletes a tag and takes it off every record. */
export async function deleteTag(
  tx: Tx,
  { id: tagId, scope }: Pick<CountedTag, 'id' | 'scope'>,
  stamp: Stamp,
): Promise<void> {
  const { tenantId } = stamp
  const carriers = await carriersOf(tx, tenantId, tagId)
  await moveCarriers(tx, scope, carriers, stamp)
  await inSlices(
    carriers,
    (slice) =>
      tx
        .deleteFrom('tag_assignments')
        .where('tenant_id', '=', tenantId)
        .where('tag_id', '=', tagId)
        .where(isAmong(tx, 'record_id', slice))
        .execute(),
    tx,
  )
  // What was given it meanwhile.
  await tx.deleteFrom('tag_assignments').where('tenant_id', '=', tenantId).where('tag_id', '=', tagId).execute()
  await softDelete(tx, 'tags', stamp, [tagId])
}
