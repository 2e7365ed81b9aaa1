import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deleteDecisions } from '../../../server/metering/consumption/store.ts'
import { planOf, statementsHere } from '../../support/large-file.ts'
import { openMigrated } from '../../support/migrated-postgres.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'

interface Asked {
  text: string
  values: unknown[]
}

/** Of these PostgreSQL is given very many; SQLite plans alike for few. */
const tables = [
  ...['activation_codes', 'audit_entries', 'customers', 'entitlement_principals', 'entitlements', 'feedback_items'],
  ...['license_sessions', 'users'],
]

/** What goes through a tenant's texts, for a person may be named anywhere in them. */
const isThroughTexts = (text: string) => /(instr|strpos)\(|"sealed_answer" is not null/.test(text)

/** A step that goes through a table, or through all that a tenant has there. */
const throughAll = {
  sqlite: /^SCAN (?!json_each )|\(tenant_id=\?\)$/m,
  postgres: new RegExp(`Seq Scan on (${tables.join('|')})\\b|Index Cond: \\(tenant_id = '[^']*'::text\\)$`, 'm'),
}

forEachStore((store) => {
  test("an index leads to a person's data, to show and to erase them, among however many of others", async () => {
    const asked = store.kind === 'postgres' ? askedOfPostgres() : []
    const server = await startTestServer(store)
    onTestFinished(() => server.close())
    const { access, erasure, ...devices } = await leaveTraces(server)
    const client = new pg.Client(server.databaseUrl)
    onTestFinished(() => client.end())
    if (store.kind === 'postgres') {
      await client.connect()
      await multiply(client)
    }
    asked.length = 0
    const here = store.kind === 'sqlite' ? statementsHere() : []
    await devices.get(`${access}/data`)
    await devices.post(`${erasure}/complete`, {})
    const all = [...asked, ...here.map((text) => ({ text, values: [] }))]
    // What has become due is looked for all the while, and of nothing there is nothing to find.
    const own = all.filter(
      ({ text, values }) =>
        /^(select|update|delete)/.test(text) &&
        !/ as "?due"?\b/.test(text) &&
        !isThroughTexts(text) &&
        !values.some((value) => Array.isArray(value) && value.length === 0),
    )
    expect(own.length).toBeGreaterThan(45)
    for (const { text, values } of own) {
      const plan =
        store.kind === 'sqlite'
          ? planOf(server.databaseUrl, text)
          : (await client.query({ text: `explain (costs off) ${text}`, values, rowMode: 'array' })).rows.join('\n')
      expect(plan, text).not.toMatch(throughAll[store.kind])
    }
  }, 60_000)

  test.runIf(store.kind === 'postgres')(
    "an entitlement's decisions are found by two bounds, for which any PostgreSQL has an index",
    async () => {
      const asked = askedOfPostgres()
      const { database, client } = await openMigrated(store)
      await client.query(`insert into usage_decisions (lookup, tenant_id, asked, answer)
select e || ' ' || n, 'tenant', json_build_array(n, 'session of ' || e), '{}'
from unnest(array['one', 'one more', 'two']) as e cross join generate_series(1, 1000) as n`)
      await client.query('analyze')
      await database.transact((tx) => deleteDecisions(tx, 'tenant', 'one', ['session of one']))
      const { text, values } = asked.find((one) => one.text.startsWith('delete from'))!
      // Planned for whatever values, it tells what a PostgreSQL does that knows of bounds alone.
      await client.query(`prepare deletion as ${text}`)
      await client.query("set plan_cache_mode = 'force_generic_plan'")
      const execute = `explain (costs off) execute deletion (${values.map(() => 'null').join(', ')})`
      const plan = (await client.query({ text: execute, rowMode: 'array' })).rows.join('\n')
      expect(plan).toMatch(/Index Cond: \(\(lookup >= .* AND \(lookup < /)
      expect((await client.query('select from usage_decisions')).rowCount).toBe(2000)
    },
  )
})

/** What a person of two addresses leaves, and the paths of their approved requests. */
async function leaveTraces(server: TestServer) {
  const devices = devicesOf(server)
  const [former, email] = [`former${nextNumber()}@x.example`, `present${nextNumber()}@x.example`]
  const user = await devices.post('admin/users', { email: former, emailVerified: true })
  await devices.patch(`admin/users/${user.id}`, { email, emailVerified: true })
  await devices.post('admin/customers', { name: 'Firm', email: former })
  const entitlement = await devices.newEntitlement({ customerContactEmail: email })
  await devices.post(`admin/entitlements/${entitlement.id}/principals/${user.id}`)
  const { activationCode } = await devices.newCode(entitlement.id, { email })
  await devices.newDevice(activationCode)
  const { access_token: token } = await devices.post(`operational/users/${user.id}/tokens`)
  const own = (where: string, body: object) => must(devices.at('POST', `consumer/me/${where}`, { token, body }))
  await own('feedback', { kind: 'ProblemReport', text: 'It crashes.', replyTo: email })
  const file = async (kind: string) => {
    const { id } = await own('data-subject-requests', { kind })
    await devices.post(`admin/data-subject-requests/${id}/approve`, {})
    return `admin/data-subject-requests/${id}`
  }
  return { ...devices, access: await file('Access'), erasure: await file('Erasure') }
}

/** Gives the tenant two thousand of each as others would leave them, and has PostgreSQL look at them. */
async function multiply(client: pg.Client) {
  const another = ['id', 'fingerprint', 'lookup_key', 'record_id', 'entitlement_id', 'activation_code_id', 'session_id']
  const replaced = [
    ...[...another, 'user_id', 'required_user_id'].map((column) => `'${column}', n || ' ${column}'`),
    ...['email', 'folded_email', 'customer_contact_email', 'reply_to'].map(
      (column) => `'${column}', n || '@y.example'`,
    ),
    ...["'actor', 'user:' || n", "'next_due_at', null, 'before', null, 'after', null"],
  ]
  await client.query("set session_replication_role = 'replica'")
  for (const table of tables)
    await client.query(`insert into ${table} select copy.*
from (select * from ${table} limit 1) as one cross join generate_series(1, 2000) as n cross join lateral
jsonb_populate_record(null::${table}, to_jsonb(one) || jsonb_build_object(${replaced.join(', ')})) as copy`)
  await client.query('analyze')
}

/** What connections to PostgreSQL that are opened from now on are asked, until the test ends. */
function askedOfPostgres(): Asked[] {
  const asked: Asked[] = []
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first, values] = given as [string | Partial<Asked>, unknown[]?]
    const { text = '', values: named = [] } = typeof first === 'string' ? { text: first, values } : first
    asked.push({ text, values: named })
    return query.apply(this, given)
  } as never)
  onTestFinished(() => spy.mockRestore())
  return asked
}
