import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { toInstant } from '../../kit/instants.ts'
import { listRows } from '../../kit/records/plain-list.ts'

const column = (name: string, column: string) => ({ name, column: `campaign_touches.${column}`, nullable: false })

export const touchFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('id', 'id'), type: 'uuid' },
  { ...column('campaignId', 'campaign_id'), type: 'uuid' },
  { ...column('entitlementId', 'entitlement_id'), type: 'uuid' },
  { ...column('kind', 'kind'), type: 'text' },
  { ...column('touchedAt', 'touched_at'), type: 'instant' },
]

/** A page of what a campaign led to, oldest first unless a sortOrder says otherwise. */
export async function listTouches(read: Readable, tenantId: string, campaignId: string, query: ListQuery) {
  const rows = read
    .selectFrom('campaign_touches')
    .where('tenant_id', '=', tenantId)
    .where('campaign_id', '=', campaignId)
  const page = await listRows(rows, touchFilterFields, 'touchedAt', query)
  const items = page.items.map(({ id, entitlement_id, kind, touched_at }) => ({
    id,
    campaignId,
    entitlementId: entitlement_id,
    kind,
    touchedAt: toInstant(touched_at),
  }))
  return { ...page, items }
}
