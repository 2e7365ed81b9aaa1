import { canonicalItem } from '../../../catalog-schema/canonical.ts'
import { sameValue } from '../../../catalog-schema/form.ts'
import { keyOf } from '../../../catalog-schema/keys.ts'
import { type Tag, tagFields } from '../../../catalog-schema/tag.ts'
import { foldTagName } from '../../../catalog-schema/tag-names.ts'
import type { WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { toInstant } from '../../kit/instants.ts'
import { invalid, Problem } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { applyBody, readBody } from '../../kit/records/body.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { writeRecords } from '../../kit/records/store.ts'
import { lockCatalog, moveRevision } from '../records/revision.ts'
import { mergeContract, tagContracts } from './contract.ts'
import { toItem, toRow } from './items.ts'
import { explainMerge, planMerge } from './merging.ts'
import {
  type CountedTag,
  carriersOf,
  deleteTag,
  findTagByName,
  getTag,
  giveTag,
  moveCarriers,
  tagSource,
} from './store.ts'

const toWire = (row: CountedTag) => ({
  id: row.id,
  ...toItem(row),
  usageCount: Number(row.usage_count),
  isDeleted: row.is_deleted === 1,
  createdAt: toInstant(row.created_at),
  updatedAt: toInstant(row.updated_at),
  revisionNumber: row.revision_number,
})

const list = query(tagContracts.list, (context, input) =>
  answerPage(context, input, tagSource, async (_read, _tenantId, rows) => rows.map(toWire)),
)

const get = query(tagContracts.get, async ({ read, tenant }, { id }) => toWire(await getTag(read, tenant.id, id)))

const create = mutation(tagContracts.create, async (context, body) => {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const item = canonicalItem('tag', readBody(tagFields, body)) as unknown as Tag
  await refuseTakenName(context, item)
  const id = newId()
  await writeRecords(tx, 'tags', [toRow(item, id, stampOf(context))])
  await moveRevision(tx, tenant.id)
  return toWire(await getTag(tx, tenant.id, id))
})

const update = mutation(tagContracts.update, (context, { id, ...body }) => edit(context, id, body))
const replace = mutation(tagContracts.replace, (context, { id, ...body }) => edit(context, id, body))

async function edit(context: WriteContext, id: string, body: object) {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const row = await getTag(tx, tenant.id, id)
  requireRevision(context, row.revision_number)
  const before = toItem(row)
  const after = applyBody('tag', tagFields, before, readBody(tagFields, body)) as unknown as Tag
  if (after.scope !== before.scope)
    throw invalid([{ pointer: '/scope', message: "a tag's scope is fixed when it is created" }])
  if (sameValue(before, after)) return toWire(row)
  await refuseTakenName(context, after, row.id)
  await writeRecords(tx, 'tags', [toRow(after, row.id, stampOf(context), row)])
  if (after.name !== before.name)
    await moveCarriers(tx, row.scope, await carriersOf(tx, tenant.id, row.id), stampOf(context))
  await moveRevision(tx, tenant.id)
  return toWire(await getTag(tx, tenant.id, row.id))
}

async function refuseTakenName({ tx, tenant }: WriteContext, tag: Tag, ownId?: string): Promise<void> {
  const holder = await findTagByName(tx, tenant.id, tag.scope, foldTagName(tag.name))
  if (holder && holder.id !== ownId)
    throw new Problem('catalog.duplicate_key', `There is a ${keyOf('tag', { ...tag, name: holder.name })} already.`)
}

const remove = mutation(tagContracts.delete, async (context, { id }) => {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const row = await getTag(tx, tenant.id, id)
  requireRevision(context, row.revision_number)
  await deleteTag(tx, row, stampOf(context))
  await moveRevision(tx, tenant.id)
  return undefined
})

const merge = mutation(mergeContract, async (context, { id, intoTagId }) => {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const source = await getTag(tx, tenant.id, id)
  requireRevision(context, source.revision_number)
  const kept = await getTag(tx, tenant.id, intoTagId)
  const refusal = explainMerge(source, kept)
  if (refusal) throw invalid([refusal])
  const carriers = {
    source: await carriersOf(tx, tenant.id, source.id),
    kept: await carriersOf(tx, tenant.id, kept.id),
  }
  await deleteTag(tx, source, stampOf(context))
  await giveTag(tx, tenant.id, kept.id, planMerge(carriers))
  await moveRevision(tx, tenant.id)
  return toWire(await getTag(tx, tenant.id, kept.id))
})

export const tags = { list, create, get, update, replace, delete: remove, merge }
