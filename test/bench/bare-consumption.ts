/**
 * The floor of metering: Fastify and one transaction a request by hand, synchronous=FULL: the decision under the same key, the
 * meter, its new usage, the decision kept; no tiers, no credits, no sessions, no batches. On PostgreSQL the same statements in
 * a Kysely transaction a request, pool 10. A meter is named where the product has a session. Run as a process of its own.
 */
import Database from 'better-sqlite3'
import fastify, { type FastifyInstance } from 'fastify'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { provision } from '../../server/kit/contract.ts'

interface Meter {
  id: string
  used: number
  most: number
}

interface KeptDecision {
  lookup: string
  answer: string
  decided_at: number
}

interface Tables {
  bare_meters: Meter
  bare_decisions: KeptDecision
  bare_records: { meter_id: string; transaction_id: number; event_data: string }
}

interface UploadedRecord {
  transactionId: number
  eventData: string
}

/** What a store can do for the routes. */
interface Deeds {
  consume(meterId: string, amount: number, key: string): Promise<object>
  ask(meterId: string, amount: number): Promise<object>
  upload(meterId: string, records: readonly UploadedRecord[]): Promise<object>
}

const [databaseUrl, meters] = process.argv.slice(2) as [string, string]
const tables = [
  'create table bare_meters (id text primary key, used bigint not null, most bigint not null)',
  'create table bare_decisions (lookup text primary key, answer text not null, decided_at bigint not null)',
  'create table bare_records (meter_id text, transaction_id bigint, event_data text, primary key (meter_id, transaction_id))',
]
const allMeters = Array.from({ length: Number(meters) }, (_, index): Meter => ({ id: `${index}`, used: 0, most: 1e12 }))

const app = fastify()
mount(
  app,
  databaseUrl.startsWith('sqlite:') ? onSqlite(databaseUrl.slice('sqlite:'.length)) : await onPostgres(databaseUrl),
)
console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }))
process.once('SIGTERM', () => process.exit(0))

function decide({ used, most }: Meter, amount: number, key: string | null) {
  const now = new Date()
  const allowed = used + amount <= most
  const usage = allowed ? used + amount : used
  return {
    ...{ allowed, reason: allowed ? null : 'denied', amount, usage, limit: most, remaining: most - usage },
    periodStart: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString(),
    periodEnd: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
    ...{ idempotentKey: key, replayed: false, decidedAt: now.toISOString() },
  }
}

const replay = ({ answer }: KeptDecision) => ({ ...JSON.parse(answer), replayed: true })

const amountOf = ({ eventData }: UploadedRecord): number => JSON.parse(eventData).amount

function onSqlite(file: string): Deeds {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(tables.join(';'))
  const insertMeter = database.prepare('insert into bare_meters values (@id, @used, @most)')
  database.transaction(() => allMeters.forEach((meter) => void insertMeter.run(meter)))()
  const byKey = database.prepare('select * from bare_decisions where lookup = ?')
  const byId = database.prepare('select * from bare_meters where id = ?')
  const update = database.prepare('update bare_meters set used = used + ? where id = ?')
  const keep = database.prepare('insert into bare_decisions values (?, ?, ?)')
  const record = database.prepare('insert or ignore into bare_records values (?, ?, ?)')
  const consume = database.transaction((meterId: string, amount: number, key: string) => {
    const lookup = `${meterId} ${key}`
    const kept = byKey.get(lookup) as KeptDecision | undefined
    if (kept) return replay(kept)
    const decision = decide(byId.get(meterId) as Meter, amount, key)
    if (decision.allowed) update.run(amount, meterId)
    keep.run(lookup, JSON.stringify(decision), Date.now())
    return decision
  })
  const upload = database.transaction((meterId: string, records: readonly UploadedRecord[]) => {
    const news = records.filter((one) => record.run(meterId, one.transactionId, one.eventData).changes === 1)
    update.run(
      news.reduce((sum, one) => sum + amountOf(one), 0),
      meterId,
    )
    return { processed: news.length }
  })
  return {
    consume: async (meterId, amount, key) => consume.immediate(meterId, amount, key),
    ask: async (meterId, amount) => decide(byId.get(meterId) as Meter, amount, null),
    upload: async (meterId, records) => upload.immediate(meterId, records),
  }
}

async function onPostgres(connectionString: string): Promise<Deeds> {
  // Sums are small: numbers are exact.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({ connectionString, max: 10 })
  for (const table of tables) await pool.query(table)
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  await database.insertInto('bare_meters').values(allMeters).execute()
  const meterOf = (from: Kysely<Tables>, id: string) => from.selectFrom('bare_meters').selectAll().where('id', '=', id)
  const add = (to: Kysely<Tables>, id: string, amount: number) =>
    to
      .updateTable('bare_meters')
      .set({ used: sql`used + ${amount}` })
      .where('id', '=', id)
      .execute()
  return {
    consume: (meterId, amount, key) =>
      database.transaction().execute(async (tx) => {
        const lookup = `${meterId} ${key}`
        const meter = await meterOf(tx, meterId).forUpdate().executeTakeFirstOrThrow()
        const kept = await tx.selectFrom('bare_decisions').selectAll().where('lookup', '=', lookup).executeTakeFirst()
        if (kept) return replay(kept)
        const decision = decide(meter, amount, key)
        if (decision.allowed) await add(tx, meterId, amount)
        const answer = JSON.stringify(decision)
        await tx.insertInto('bare_decisions').values({ lookup, answer, decided_at: Date.now() }).execute()
        return decision
      }),
    ask: async (meterId, amount) => decide(await meterOf(database, meterId).executeTakeFirstOrThrow(), amount, null),
    upload: (meterId, records) =>
      database.transaction().execute(async (tx) => {
        const inserted = await tx
          .insertInto('bare_records')
          .values(
            records.map(({ transactionId, eventData }) => ({
              ...{ meter_id: meterId, transaction_id: transactionId, event_data: eventData },
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning('transaction_id')
          .execute()
        const news = new Set(inserted.map((row) => row.transaction_id))
        const counted = records.filter(({ transactionId }) => news.has(transactionId))
        await add(
          tx,
          meterId,
          counted.reduce((sum, one) => sum + amountOf(one), 0),
        )
        return { processed: counted.length }
      }),
  }
}

/** The routes of the product that write or decide. */
function mount(to: FastifyInstance, { consume, ask, upload }: Deeds): void {
  const meterOf = ({ params }: { params: unknown }) => (params as { meter: string }).meter
  const queryOf = ({ query }: { query: unknown }) => query as { amount: string; idempotentKey: string }
  to.post(`${provision}/usage/try-consume/:meter/:metric`, (request) => {
    const { amount, idempotentKey } = queryOf(request)
    return consume(meterOf(request), Number(amount), idempotentKey)
  })
  to.post(`${provision}/usage/try-preallocate/:meter/:metric`, (request) =>
    ask(meterOf(request), Number(queryOf(request).amount)),
  )
  to.post(`${provision}/usage/sessions/:meter/transactions`, (request) =>
    upload(meterOf(request), request.body as UploadedRecord[]),
  )
}
