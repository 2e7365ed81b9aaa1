import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'

/** The callback scopes of a subscription at this moment; undefined for one that is deleted, not Active, or another tenant's. */
export async function findCallbackScopes(read: Readable, tenantId: string, id: string): Promise<string[] | undefined> {
  const [row] = await activeSubscription(read, { tenantId, id })
  return row && (JSON.parse(row.callback_scopes) as string[])
}

const activeSubscription = compileOnce((read, { tenantId, id }: { tenantId: string; id: string }) =>
  read
    .selectFrom('webhook_subscriptions')
    .select('callback_scopes')
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('status', '=', 'Active'),
)
