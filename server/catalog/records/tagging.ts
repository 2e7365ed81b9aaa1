import { type Expression, type SqlBool, sql } from 'kysely'
import type { tagScopes } from '../../../catalog-schema/enumerations.ts'
import { foldTagName } from '../../../catalog-schema/tag-names.ts'
import type { Database, Readable, Tx } from '../../database/database.ts'
import { allDone, compileOnce, type Statement } from '../../kit/compiled-query.ts'
import type { TextListField } from '../../kit/filter/fields.ts'
import { no } from '../../kit/flags.ts'
import { newId } from '../../kit/ids.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import { insertStatements, type RecordTable, runStatements, storeOf, writeRecords } from '../../kit/records/store.ts'

export type TagScope = (typeof tagScopes)[number]

/** The names of the tags that records carry, by record id, each record's in canonical order. */
export type CarriedTags = ReadonlyMap<string, string[]>

/** The tags that these records carry. */
export async function tagsOf(readable: Readable, tenantId: string, recordIds: readonly string[]): Promise<CarriedTags> {
  if (recordIds.length === 0) return new Map()
  const carried = await readable
    .selectFrom('tag_assignments')
    .innerJoin('tags', 'tags.id', 'tag_assignments.tag_id')
    .select(['tag_assignments.record_id', 'tags.name'])
    .where('tag_assignments.tenant_id', '=', tenantId)
    .where('tags.tenant_id', '=', tenantId)
    .where(isAmong(readable, 'tag_assignments.record_id', listed(readable, recordIds)))
    .execute()
  return byRecord(carried.map(({ record_id, name }) => [record_id, name]))
}

/** The tags that the records of a tenant carry, all of them. */
export async function allTagsOf(readable: Readable, tenantId: string): Promise<CarriedTags> {
  const [tags, assignments] = await allDone([allTags(readable, { tenantId }), allAssignments(readable, { tenantId })])
  const nameOf = new Map(tags.map(({ id, name }) => [id, name]))
  return byRecord(assignments.map(({ record_id, tag_id }) => [record_id, nameOf.get(tag_id)!]))
}

const allTags = compileOnce((readable, { tenantId }: { tenantId: string }) =>
  readable.selectFrom('tags').select(['id', 'name']).where('tenant_id', '=', tenantId),
)

const allAssignments = compileOnce((readable, { tenantId }: { tenantId: string }) =>
  readable.selectFrom('tag_assignments').select(['record_id', 'tag_id']).where('tenant_id', '=', tenantId),
)

type Carried = [recordId: string, name: string]

function byRecord(carried: readonly Carried[]): CarriedTags {
  const byId = new Map<string, string[]>()
  for (const [recordId, name] of carried) {
    const names = byId.get(recordId)
    if (names) names.push(name)
    else byId.set(recordId, [name])
  }
  for (const names of byId.values()) if (names.length > 1) names.sort()
  return byId
}

/** The registry's tags under these names by folded name: id and the casing first written. */
export async function findTags(readable: Readable, tenantId: string, scope: TagScope, names: Iterable<string>) {
  const folded = [...new Set([...names].map(foldTagName))]
  if (folded.length === 0) return new Map<string, { id: string; name: string }>()
  const rows = await readable
    .selectFrom('tags')
    .select(['id', 'name', 'folded_name'])
    .where('tenant_id', '=', tenantId)
    .where('scope', '=', scope)
    .where('is_deleted', '=', no)
    .where(isAmong(readable, 'folded_name', listed(readable, folded)))
    .execute()
  return new Map(rows.map(({ id, name, folded_name }) => [folded_name, { id, name }]))
}

/** The names as the registry writes them; those it has not as given. */
export async function asRegistered(
  readable: Readable,
  tenantId: string,
  scope: TagScope,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return []
  const found = await findTags(readable, tenantId, scope, names)
  return names.map((name) => found.get(foldTagName(name))?.name ?? name)
}

/** Gives a record exactly these tags; a name that the registry has not is created, in the casing first written. */
export async function assignTags(
  tx: Tx,
  scope: TagScope,
  recordId: string,
  tags: readonly string[],
  stamp: Stamp,
): Promise<void> {
  const known = await findTags(tx, stamp.tenantId, scope, tags)
  const missing = new Map(tags.filter((name) => !known.has(foldTagName(name))).map((name) => [foldTagName(name), name]))
  const created = [...missing].map(([folded_name, name]) => ({
    ...rowHead(newId(), undefined, stamp),
    scope,
    name,
    folded_name,
    color: null,
  }))
  await writeRecords(tx, 'tags', created)
  for (const tag of created) known.set(tag.folded_name, tag)
  const idOf = (name: string) => known.get(foldTagName(name))!.id
  const carried = { id: recordId, before: undefined, tags }
  await runStatements(tx, tagStatements(storeOf(tx), stamp.tenantId, [carried], idOf))
}

/** A record, the tags that it carried (none when it is new, undefined when that is not known) and those it is to carry. */
export interface Retagged {
  id: string
  before: readonly string[] | undefined
  tags: readonly string[]
}

/** The statements that give each record exactly its tags, all of which the registry has. */
export function tagStatements(
  store: Database['kind'],
  tenantId: string,
  records: readonly Retagged[],
  idOf: (name: string) => string,
): Statement[] {
  const carriers = records.filter(({ before }) => before?.length !== 0).map(({ id }) => id)
  const forgetting = carriers.length > 0 ? [forgetStatement(store, tenantId, carriers)] : []
  const links = records.flatMap(({ id, tags }) =>
    [...new Set(tags.map(idOf))].map((tag_id) => ({ tenant_id: tenantId, record_id: id, tag_id })),
  )
  return [...forgetting, ...insertStatements(store, 'tag_assignments', links)]
}

/** Takes every tag off these records. */
export async function forgetTags(tx: Tx, tenantId: string, recordIds: readonly string[]): Promise<void> {
  await runStatements(tx, [forgetStatement(storeOf(tx), tenantId, recordIds)])
}

const forgetStatement = (store: Database['kind'], tenantId: string, recordIds: readonly string[]): Statement => ({
  text: `delete from tag_assignments where ${
    store === 'postgres'
      ? 'tenant_id = $1 and record_id in (select json_array_elements_text($2))'
      : 'tenant_id = ? and record_id in (select value from json_each(?))'
  }`,
  parameters: [tenantId, JSON.stringify(recordIds)],
})

/** `tags` as a field that a list of a table may be filtered by. */
export function tagFilterField(table: RecordTable): TextListField {
  const tenant = sql.ref(`${table}.tenant_id`)
  const record = sql.ref(`${table}.id`)
  return {
    name: 'tags',
    type: 'textList',
    elements: (match) => {
      const holds: Expression<SqlBool> = match(sql.ref('carried_tag.name') as unknown as Expression<string>)
      return sql<SqlBool>`exists (select 1 from tag_assignments join tags carried_tag on carried_tag.id = tag_assignments.tag_id
where tag_assignments.tenant_id = ${tenant} and tag_assignments.record_id = ${record} and ${holds})`
    },
  }
}
