import { registerReading } from '../../kit/audit.ts'
import { causeOf } from '../../kit/cause.ts'
import { type Decimal, decimalText, readStored, wireNumber } from '../../kit/decimal.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { fromInstant, toInstant, toNullableInstant } from '../../kit/instants.ts'
import { type FieldError, invalid, Problem } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { amountOf, amountRule } from '../../metering/consumption/amount.ts'
import { getBalance } from '../../metering/consumption/standing.ts'
import { getEntitlement, lockEntitlement } from '../entitlements/loading.ts'
import { openLateMeters } from '../plans/late-meters.ts'
import { codeKeyOf, drawCode } from './code.ts'
import { type GrantBody, type GrantRecord, grantContracts } from './contract.ts'
import { statusOf } from './status.ts'
import { deleteGrant, type GrantRow, getGrant, insertGrant, listGrants, lockGrant } from './store.ts'

const issue = mutation(grantContracts.issue, async (context, { id, ...body }) => {
  const { tx, tenant, now, actor, sealer } = context
  const { amount, expiresAt } = readBody(body, now)
  const entitlement = await lockEntitlement(tx, tenant.id, id)
  await openLateMeters(causeOf(context), entitlement.id, [body.metric])
  const balance = await getBalance(tx, tenant.id, entitlement.id, body.metric, now)
  const code = drawCode()
  const row: GrantRow = {
    id: newId(),
    tenant_id: tenant.id,
    entitlement_id: entitlement.id,
    metric_name: balance.metricName,
    amount: decimalText(amount),
    lookup_key: codeKeyOf(sealer, tenant.id, code),
    expires_at: expiresAt,
    created_at: now,
    created_by: actor,
    redeemed_at: null,
    redeemed_by: null,
  }
  await insertGrant(tx, row)
  return { ...toWire(row, now), code }
})

/** The amount, and the end in milliseconds; throws the validation problem for an amount that is none, or an end that is past. */
function readBody({ amount, expiresAt }: GrantBody, now: number): { amount: Decimal; expiresAt: number | null } {
  const errors: FieldError[] = []
  const read = amountOf(amount)
  if (!read) errors.push({ pointer: '/amount', message: amountRule })
  const end = fromInstant(expiresAt ?? null)
  if (end !== null && end <= now) errors.push({ pointer: '/expiresAt', message: 'must be later than now' })
  if (!read || errors.length > 0) throw invalid(errors)
  return { amount: read, expiresAt: end }
}

const list = query(grantContracts.list, async ({ read, tenant, now }, { id, ...query }) => {
  const entitlement = await getEntitlement(read, tenant.id, id)
  const page = await listGrants(read, tenant.id, entitlement.id, now, query)
  return { ...page, items: page.items.map((row) => toWire(row, now)) }
})

const remove = mutation(grantContracts.delete, async (context, { id, grantId }) => {
  const { tx, tenant } = context
  const entitlement = await getEntitlement(tx, tenant.id, id)
  requireRevision(context, entitlement.revision_number)
  const row = await lockGrant(tx, tenant.id, entitlement.id, grantId)
  if (row.redeemed_at !== null)
    throw new Problem('catalog.in_use', 'The grant was redeemed: an entry of the ledger refers to it.')
  await deleteGrant(tx, row)
  return undefined
})

registerReading(grantContracts.get, async ({ read, tenant, now }, { id, grantId }) =>
  toWire(await getGrant(read, tenant.id, String(id), String(grantId)), now),
)

const toWire = (row: GrantRow, now: number): GrantRecord => ({
  id: row.id,
  metric: row.metric_name,
  amount: wireNumber(readStored(row.amount)),
  expiresAt: toNullableInstant(row.expires_at),
  createdAt: toInstant(row.created_at),
  status: statusOf(row, now),
  redeemedAt: toNullableInstant(row.redeemed_at),
  redeemedBy: row.redeemed_by,
})

/** Credits that the vendor's backend grants, for users to redeem. */
export const creditGrants = { issue, list, delete: remove }
