import Database from 'better-sqlite3'
import pg from 'pg'
import type { Served } from './served.ts'

/** The columns of a session that was activated long ago, of the one device `n`; the rest are null. */
const columns = `id, tenant_id, entitlement_id, holder, activation_code_id, fingerprint, instance_id, is_trial, is_offline,
activated_at, last_access_at, lease_expires_at, grace_expires_at, lease_time, product_ids, is_seated`

const values = (n: string, { tenantId, entitlementId, codeId }: Stored) =>
  `'00000000-0000-7000-8000-' || ${n}, '${tenantId}', '${entitlementId}', 'code:${codeId}', '${codeId}', 'stored-' || ${n}, '', 0, 0,
1, 1, 9000000000000, 9000000000000, 'P7D', '[]', 1`

interface Stored {
  tenantId: string
  entitlementId: string
  codeId: string
}

/** Stores so many sessions of one entitlement and code, each of a device of its own, without the server. */
export async function storeSessions({ databaseUrl }: Served, of: Stored, count: number): Promise<void> {
  const counted = [
    `update seat_counts set taken = taken + ${count} where entitlement_id = '${of.entitlementId}'`,
    `update activation_codes set used_activations = used_activations + ${count} where id = '${of.codeId}'`,
  ]
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new Database(databaseUrl.slice('sqlite:'.length), { timeout: 60_000 })
    database.exec(`begin immediate;
insert into license_sessions (${columns}) with recursive counting (n) as (select 1 union all select n + 1 from counting where n < ${count})
select ${values("printf('%012d', n)", of)} from counting; ${counted.join(';')}; commit`)
    // What is measured next need not wait for this to get from the log into the file.
    database.pragma('wal_checkpoint(truncate)')
    database.close()
    return
  }
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(
    `insert into license_sessions (${columns}) select ${values("lpad(n::text, 12, '0')", of)} from generate_series(1, ${count}) n`,
  )
  for (const statement of counted) await client.query(statement)
  // What is measured next need not wait for this to be tidied up.
  for (const statement of ['vacuum (analyze) license_sessions', 'checkpoint']) await client.query(statement)
  await client.end()
}
