import type { WriteContext } from '../../kit/context.ts'
import { invalid } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { lockForChange } from '../../kit/records/locking.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getRecord, type ListSource, softDelete } from '../../kit/records/store.ts'
import { refuseTaken } from '../../kit/records/taken.ts'
import { campaignClears, campaignContracts, campaignKind, listTouchesContract } from './contract.ts'
import type { CampaignTables } from './tables.ts'
import { listTouches } from './touches.ts'

type Row = CampaignTables['campaigns']
type Campaign = ReturnType<typeof campaignKind.toItem>

const source: ListSource<Row> = { table: 'campaigns', fields: campaignKind.filterFields }
const toWire = (row: Row) => campaignKind.toWire(row, {})

const list = query(campaignContracts.list, (context, input) =>
  answerPage(context, input, source, async (_read, _tenantId, rows) => rows.map(toWire)),
)

const get = query(campaignContracts.get, async ({ read, tenant }, { id }) =>
  toWire(await getRecord(read, 'campaigns', tenant.id, id, 'campaign')),
)

const create = mutation(campaignContracts.create, (context, body) => write(context, campaignKind.read(body)))

const update = mutation(campaignContracts.update, (context, { id, ...body }) => edit(context, id, body))
const replace = mutation(campaignContracts.replace, (context, { id, ...body }) => edit(context, id, body))

async function edit(context: WriteContext, id: string, body: object) {
  const row = await lockForChange(context, 'campaigns', id, 'campaign')
  const item = campaignKind.toItem(row, {})
  return write(context, campaignKind.read(body, item, campaignClears), { row, item })
}

async function write(context: WriteContext, item: Campaign, before?: { row: Row; item: Campaign }) {
  // Instants of the wire are all of one form, in UTC: their texts are in the order of time.
  if (item.startsAt !== null && item.endsAt !== null && item.endsAt <= item.startsAt)
    throw invalid([{ pointer: '/endsAt', message: 'must be after startsAt' }])
  if (before?.item.name !== item.name)
    await refuseTaken(context, 'campaigns', { name: item.name }, 'a campaign of this name')
  return toWire(await campaignKind.write(context, item, before))
}

const remove = mutation(campaignContracts.delete, async (context, { id }) => {
  const row = await lockForChange(context, 'campaigns', id, 'campaign')
  await softDelete(context.tx, 'campaigns', stampOf(context), [row.id])
  return undefined
})

const touches = query(listTouchesContract, async ({ read, tenant }, { id, ...query }) => {
  const { id: campaignId } = await getRecord(read, 'campaigns', tenant.id, id, 'campaign')
  return listTouches(read, tenant.id, campaignId, query)
})

/** The efforts of marketing that entitlements are attributed to. */
export const campaignProcedures = { list, get, create, update, replace, delete: remove, touches }
