/**
 * The floor of activations: Fastify and one transaction a request by hand, synchronous=FULL, the same signature; no
 * policies, no seats, no batches. On PostgreSQL a Kysely transaction a request, pool 10. Run as a process of its own.
 */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import Database from 'better-sqlite3'
import fastify, { type FastifyInstance } from 'fastify'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

interface Session {
  id: string
  fingerprint: string
  lease_expires_at: number
  last_access_at: number
}

const [databaseUrl] = process.argv.slice(2) as [string]
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const leaseMillis = 7 * 24 * 3_600_000
const table =
  'create table if not exists bare_sessions (id text primary key, fingerprint text unique, lease_expires_at bigint, last_access_at bigint)'

const app = fastify()
if (databaseUrl.startsWith('sqlite:')) mountSqlite(app, databaseUrl.slice('sqlite:'.length))
else await mountPostgres(app, databaseUrl)
console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }))
process.once('SIGTERM', () => process.exit(0))

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function tokenFor(session: Session, key: KeyObject): string {
  const text = `${encode({ typ: 'license+jwt', alg: 'ES256' })}.${encode({ sub: session.id, exp: session.lease_expires_at / 1000 })}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

const fingerprintOf = ({ body }: { body: unknown }) => (body as { fingerprint: string }).fingerprint
const idOf = ({ params }: { params: unknown }) => (params as { id: string }).id

function mountSqlite(to: FastifyInstance, file: string): void {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(table)
  const byFingerprint = database.prepare('select * from bare_sessions where fingerprint = ?')
  const byId = database.prepare('select * from bare_sessions where id = ?')
  const insert = database.prepare(
    'insert into bare_sessions values (@id, @fingerprint, @lease_expires_at, @last_access_at)',
  )
  const update = database.prepare(
    'update bare_sessions set lease_expires_at = @lease_expires_at, last_access_at = @last_access_at where id = @id',
  )
  const activate = database.transaction((fingerprint: string) => {
    const now = Date.now()
    const known = byFingerprint.get(fingerprint) as Session | undefined
    const session = {
      id: known?.id ?? randomUUID(),
      fingerprint,
      lease_expires_at: now + leaseMillis,
      last_access_at: now,
    }
    ;(known ? update : insert).run(session)
    return session
  })
  const touch = database.transaction((id: string, leases: boolean) => {
    const session = byId.get(id) as Session
    session.last_access_at = Date.now()
    if (leases) session.lease_expires_at = session.last_access_at + leaseMillis
    update.run(session)
    return session
  })
  mount(
    to,
    async (fingerprint) => activate.immediate(fingerprint),
    async (id, leases) => touch.immediate(id, leases),
  )
}

async function mountPostgres(to: FastifyInstance, connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 10 })
  await pool.query(table)
  const database = new Kysely<{ bare_sessions: Session }>({ dialect: new PostgresDialect({ pool }) })
  mount(
    to,
    (fingerprint) =>
      database.transaction().execute(async (tx) => {
        const now = Date.now()
        const known = await tx
          .selectFrom('bare_sessions')
          .selectAll()
          .where('fingerprint', '=', fingerprint)
          .executeTakeFirst()
        const times = { lease_expires_at: now + leaseMillis, last_access_at: now }
        const session = { id: known?.id ?? randomUUID(), fingerprint, ...times }
        if (known) await tx.updateTable('bare_sessions').set(times).where('id', '=', known.id).execute()
        else await tx.insertInto('bare_sessions').values(session).execute()
        return session
      }),
    (id, leases) =>
      database.transaction().execute(async (tx) => {
        const session = await tx
          .selectFrom('bare_sessions')
          .selectAll()
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirstOrThrow()
        session.last_access_at = Date.now()
        if (leases) session.lease_expires_at = session.last_access_at + leaseMillis
        const { last_access_at, lease_expires_at } = session
        await tx.updateTable('bare_sessions').set({ last_access_at, lease_expires_at }).where('id', '=', id).execute()
        return session
      }),
  )
}

function mount(
  to: FastifyInstance,
  activate: (fingerprint: string) => Promise<Session>,
  touch: (id: string, leases: boolean) => Promise<Session>,
): void {
  to.post('/activate', async (request) => {
    const session = await activate(fingerprintOf(request))
    return { token: tokenFor(session, privateKey), session }
  })
  to.post('/renew/:id', async (request) => {
    const session = await touch(idOf(request), true)
    return { token: tokenFor(session, privateKey), session }
  })
  for (const path of ['/check-in/:id', '/release/:id'])
    to.post(path, async (request) => ({ session: await touch(idOf(request), false) }))
}
