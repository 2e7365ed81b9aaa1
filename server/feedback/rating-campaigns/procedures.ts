import { lockCatalog, moveRevision } from '../../catalog/records/revision.ts'
import type { Readable } from '../../database/database.ts'
import type { RequestContext, WriteContext } from '../../kit/context.ts'
import { invalid } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { stampedTailOf } from '../../kit/records/answers.ts'
import { lockForChange } from '../../kit/records/locking.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getRecord, softDelete } from '../../kit/records/store.ts'
import { ratingCampaignClears, ratingCampaignContracts, ratingCampaignKind } from './contract.ts'
import { isRunning } from './running.ts'
import { campaignsAt } from './store.ts'
import type { RatingCampaignTables } from './tables.ts'
import { canonicalTargets, nameTargets, requireTargets } from './targets.ts'

type Row = RatingCampaignTables['rating_campaigns']
type Campaign = ReturnType<typeof ratingCampaignKind.toItem>

async function toWire(read: Readable, { tenant, now }: RequestContext, rows: readonly Row[]) {
  const items = rows.map((row) => ratingCampaignKind.toItem(row, {}))
  const named = await nameTargets(
    read,
    tenant.id,
    items.map(({ targets }) => targets),
  )
  return rows.map((row, index) => ({
    id: row.id,
    ...items[index]!,
    isRunning: isRunning(row, now),
    targets: named[index]!.map(({ productId: _productId, ...target }) => target),
    ...stampedTailOf(row),
  }))
}

const answer = async (read: Readable, context: RequestContext, row: Row) => (await toWire(read, context, [row]))[0]!

const list = query(ratingCampaignContracts.list, (context, input) =>
  answerPage(context, input, campaignsAt(context.now), (read, _tenantId, rows) => toWire(read, context, rows)),
)

const get = query(ratingCampaignContracts.get, async (context, { id }) =>
  answer(
    context.read,
    context,
    await getRecord(context.read, 'rating_campaigns', context.tenant.id, id, 'rating campaign'),
  ),
)

const create = mutation(ratingCampaignContracts.create, async (context, body) => {
  await lockCatalog(context.tx, context.tenant.id)
  return write(context, ratingCampaignKind.read(body))
})

const update = mutation(ratingCampaignContracts.update, (context, { id, ...body }) => edit(context, id, body))
const replace = mutation(ratingCampaignContracts.replace, (context, { id, ...body }) => edit(context, id, body))

async function edit(context: WriteContext, id: string, body: { targets?: unknown }) {
  const row = await load(context, id)
  const item = ratingCampaignKind.toItem(row, {})
  return write(context, ratingCampaignKind.read(body, item, ratingCampaignClears), {
    row,
    item,
    keepsTargets: !body.targets,
  })
}

/** The campaign that is to be changed, once it is this request's turn to change the catalog, which snapshots hold it with. */
async function load(context: WriteContext, id: string): Promise<Row> {
  await lockCatalog(context.tx, context.tenant.id)
  return lockForChange(context, 'rating_campaigns', id, 'rating campaign')
}

async function write(
  context: WriteContext,
  given: Campaign,
  before?: { row: Row; item: Campaign; keepsTargets: boolean },
) {
  const item = { ...given, targets: canonicalTargets(given.targets) }
  // Instants of the wire are all of one form, in UTC: their texts are in the order of time.
  if (item.startsAt !== null && item.endsAt !== null && item.endsAt <= item.startsAt)
    throw invalid([{ pointer: '/endsAt', message: 'must be after startsAt' }])
  // A feature that was deleted since it became a target is in nobody's way.
  if (!before?.keepsTargets) await requireTargets(context.tx, context.tenant.id, item.targets)
  const row = await ratingCampaignKind.write(context, item, before)
  if (row !== before?.row) await moveRevision(context.tx, context.tenant.id)
  return answer(context.tx, context, row)
}

const remove = mutation(ratingCampaignContracts.delete, async (context, { id }) => {
  const row = await load(context, id)
  await softDelete(context.tx, 'rating_campaigns', stampOf(context), [row.id])
  await moveRevision(context.tx, context.tenant.id)
  return undefined
})

/** The asks for how end users like some features. */
export const ratingCampaignProcedures = { list, get, create, update, replace, delete: remove }
