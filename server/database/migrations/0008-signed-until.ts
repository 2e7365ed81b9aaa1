import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How long a license token was good at most without its key saying so. */
const unwrittenMillis = 31 * 24 * 3_600_000

/** Up to here a key wrote down until when its tokens are good only where that was more than a month: each says so now. */
export const signedUntil: Migration = {
  async up(db: Kysely<unknown>) {
    const until = sql`${sql.lit(Date.now() + unwrittenMillis)} + (select clock_offset from tenants where tenants.id = tenant_id)`
    await sql`update signing_keys set signed_until = ${until}
where purpose = 'token' and retired_at is null and (signed_until is null or signed_until < ${until})`.execute(db)
  },
}
