import type { Tables } from '../../database/tables.ts'
import { no } from '../../kit/flags.ts'
import type { Cause } from '../../kit/outbox.ts'
import type { EntitlementRow } from './loading.ts'
import { readLayers } from './stored.ts'

/** The tables of what an entitlement has beside its own row, in words; a code that was deleted is none. */
const kept = [
  ['activation_codes', 'activation codes'],
  ['license_sessions', 'license sessions'],
  ['entitlement_principals', 'users who are assigned to it'],
  ['credit_grants', 'credit grants'],
  ['plan_change_requests', 'plan-change requests'],
  ['usage_transactions', 'uploaded usage'],
  ['blocked_devices', 'blocked devices'],
] as const satisfies readonly (readonly [keyof Tables, string])[]

/** What hangs on an entitlement, in words: what others made of it or with it, the add-ons that no offer has, and the campaign that issued it. */
export async function listHanging({ tx, tenantId }: Cause, row: EntitlementRow): Promise<string[]> {
  const hanging: string[] = []
  for (const [table, words] of kept) {
    const rows = tx.selectFrom(table as 'activation_codes').where('tenant_id', '=', tenantId)
    const own = rows.where('entitlement_id', '=', row.id)
    const live = table === 'activation_codes' ? own.where('is_deleted', '=', no) : own
    if (await live.select('entitlement_id').limit(1).executeTakeFirst()) hanging.push(words)
  }
  const movements = tx
    .selectFrom('balance_entries')
    .innerJoin('meters', 'meters.id', 'balance_entries.meter_id')
    .where('balance_entries.tenant_id', '=', tenantId)
    .where('meters.tenant_id', '=', tenantId)
    .where('meters.entitlement_id', '=', row.id)
    .where('balance_entries.kind', 'in', ['Deposit', 'Grant', 'Consumption', 'Deduction'])
  if (await movements.select('balance_entries.id').limit(1).executeTakeFirst())
    hanging.push('movements of its balances')
  if (readLayers(row).addOns.length > 0) hanging.push('add-ons')
  const touches = tx.selectFrom('campaign_touches').where('tenant_id', '=', tenantId)
  const own = touches.where('campaign_id', '=', row.campaign_id).where('entitlement_id', '=', row.id)
  if (await own.select('id').limit(1).executeTakeFirst()) hanging.push('a campaign')
  return hanging
}
