import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'

/** How long a retired token key verifies at least. */
export const retiredTokenKeyMillis = 31 * 24 * 3_600_000

/**
 * Keeps a key verifying as long as a token that it signs now is good, `until` (milliseconds), however long that is; a retired
 * one, too, since it may have been retired while it signed.
 */
export async function keepVerifying(tx: Tx, tenantId: string, kid: string, until: number, now: number): Promise<void> {
  if (until > now + retiredTokenKeyMillis) await extend(tx, { tenantId, kid, until })
}

const extend = compileOnce((tx, { tenantId, kid, until }: { tenantId: string; kid: string; until: number }) =>
  tx
    .updateTable('signing_keys')
    .set({
      signed_until: until,
      verifies_until: sql`case when verifies_until < ${until} then ${until} else verifies_until end`,
    })
    .where('id', '=', kid)
    .where('tenant_id', '=', tenantId)
    .where((key) => key.or([key('signed_until', 'is', null), key('signed_until', '<', until)])),
)
