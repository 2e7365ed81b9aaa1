/** The floor of small requests: Fastify with one SQL statement a route, and nothing else. Run as a process of its own. */
import Database from 'better-sqlite3'
import fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'

const [databaseUrl, tenantId] = process.argv.slice(2) as [string, string]
const app = fastify()
const statements = {
  get: 'select * from tags where tenant_id = $1 and id = $2',
  list: 'select * from tags where tenant_id = $1 and is_deleted = 0 order by id limit 25',
  create:
    'insert into bare_tags (id, tenant_id, scope, name, folded_name, color, created_at) values ($1, $2, $3, $4, $5, $6, $7)',
  table:
    'create table if not exists bare_tags (id text primary key, tenant_id text, scope text, name text, folded_name text, color text, created_at bigint)',
}

if (databaseUrl.startsWith('sqlite:')) mountSqlite(app, databaseUrl.slice('sqlite:'.length))
else await mountPostgres(app, databaseUrl)

console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }))
process.once('SIGTERM', () => process.exit(0))

function newTag(body: unknown): unknown[] {
  const { scope, name, color = null } = body as { scope: string; name: string; color?: string }
  return [crypto.randomUUID(), tenantId, scope, name, name.toLowerCase(), color, Date.now()]
}

function mountSqlite(to: FastifyInstance, file: string): void {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(statements.table)
  const prepare = (text: string) => database.prepare(text.replaceAll(/\$\d/g, '?'))
  const [get, list, create] = [prepare(statements.get), prepare(statements.list), prepare(statements.create)]
  to.get('/tags/:id', async (request) => get.get(tenantId, (request.params as { id: string }).id))
  to.get('/tags', async () => ({ items: list.all(tenantId) }))
  to.post('/tags', async (request) => {
    const row = newTag(request.body)
    create.run(...row)
    return { id: row[0] }
  })
}

async function mountPostgres(to: FastifyInstance, url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query(statements.table)
  const run = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })
  to.get('/tags/:id', async (request) => {
    const { rows } = await run('get', statements.get, [tenantId, (request.params as { id: string }).id])
    return rows[0]
  })
  to.get('/tags', async () => ({ items: (await run('list', statements.list, [tenantId])).rows }))
  to.post('/tags', async (request) => {
    const row = newTag(request.body)
    await run('create', statements.create, row)
    return { id: row[0] }
  })
}
