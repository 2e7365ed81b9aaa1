import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../../server/app.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { largeCatalog } from '../../support/large-catalog.ts'
import { startTestServer } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, catalogPath, clearCatalog, dumpOf, snapshotOf, wholeCatalog } from './scene.ts'

forEachStore((store) => {
  describe('limits and aborts', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)

    /** Sends the head of a request and part of its body, and then hangs up. */
    const hangUp = (path: string, body: string, sent: number, waitMillis: number) =>
      new Promise<void>((resolve) => {
        const call = httpRequest(`${server.baseUrl()}${catalogPath}${path}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${server.tokens.acme}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        })
        call.on('error', () => undefined)
        call.on('close', () => resolve())
        call.write(Buffer.from(body).subarray(0, sent))
        setTimeout(() => call.destroy(), waitMillis)
      })

    test.each(['compare', 'import', 'apply'])('%s takes no body over 64 MiB', async (operation) => {
      const declared = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const call = httpRequest(`${server.baseUrl()}${catalogPath}/${operation}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${server.tokens.acme}`,
            'content-type': 'application/json',
            'content-length': 64 * 1024 * 1024 + 1,
          },
        })
        call.on('error', reject)
        call.on('response', (answer) => {
          let text = ''
          answer.on('data', (part) => {
            text += part
          })
          answer.on('end', () => resolve({ status: answer.statusCode, text }))
        })
        call.write('{')
      })
      expect(declared.status).toBe(413)
      expect(JSON.parse(declared.text)).toMatchObject({ code: 1003, codeName: 'request.too_large' })
    })

    test('a body far over the usual limit is read', async () => {
      const description = 'x'.repeat(19_000)
      const products = Array.from({ length: 150 }, (_, index) => ({ productCode: `BIG-${index}`, description }))
      const report = bodyOf(await catalog.compare(snapshotOf({ products })))
      expect(report.summary.create).toBe(150)
    })

    test('a client that hangs up, at whatever moment, leaves the server in health and the database whole', async () => {
      const body = JSON.stringify(largeCatalog(1000))
      const before = await dumpOf(server.databaseUrl)
      for (const wait of [5, 20, 60, 150]) await hangUp('/compare', body, body.length, wait)
      await hangUp('/compare', body, body.length >> 1, 20)
      await hangUp('/import', body, body.length >> 1, 20)
      expect(bodyOf(await catalog.compare(wholeCatalog())).summary.errors).toBe(0)
      expect(await dumpOf(server.databaseUrl)).toBe(before)
      await Promise.all([5, 20, 60].map((wait) => hangUp('/import', body, body.length, wait)))
      const { summary } = bodyOf(await catalog.compare(body))
      expect([0, summary.create + summary.unchanged]).toContain(summary.create)
      await clearCatalog(server.databaseUrl, server.tenantIds.acme)
    })
  })

  describe('a database that refuses a row while others are on their way', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)

    test.each([undefined, 'one-key'])(
      'leaves nothing of the import, and the next does it all (key: %s)',
      async (key) => {
        const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
        await clearCatalog(server.databaseUrl, server.tenantIds.acme)
        const before = await dumpOf(server.databaseUrl)
        const accept = await refuseRows(server.databaseUrl, 'add_ons')
        const refused = await catalog.import(wholeCatalog(), { headers })
        expect(refused).toMatchObject({ status: 500, body: { codeName: 'server.internal' } })
        expect(await dumpOf(server.databaseUrl)).toBe(before)
        await accept()
        expect(bodyOf(await catalog.import(wholeCatalog(), { headers })).summary).toMatchObject({
          create: 17,
          errors: 0,
        })
        expect(bodyOf(await catalog.compare(wholeCatalog())).summary).toMatchObject({ create: 0, update: 0 })
      },
    )

    /** Has the database refuse every new row of a table until what is answered is called. */
    async function refuseRows(databaseUrl: string, table: string) {
      const { schema, close } = openDatabase(databaseUrl)
      const run = async (...statements: string[]) => {
        for (const statement of statements) await schema.executeQuery(CompiledQuery.raw(statement))
      }
      if (store.kind === 'sqlite')
        await run(`create trigger refusing before insert on ${table} begin select raise(abort, 'refused'); end`)
      else
        await run(
          `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
          `create trigger refusing before insert on ${table} for each row execute function refuse()`,
        )
      return async () => {
        await (store.kind === 'sqlite' ? run('drop trigger refusing') : run('drop function refuse cascade'))
        await close()
      }
    }
  })

  describe.runIf(store.kind === 'postgres')('a deadlock that PostgreSQL ends at the import', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)

    test.each([undefined, 'one-key'])('has it written by the next try, all of it (key: %s)', async (key) => {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
      await clearCatalog(server.databaseUrl, server.tenantIds.acme)
      bodyOf(await catalog.import(wholeCatalog()))
      const changed = wholeCatalog()
      for (const product of changed.products!) product.description = `changed ${key}`
      const other = new pg.Client(server.databaseUrl)
      await other.connect()
      onTestFinished(() => other.end())
      await other.query(`set deadlock_timeout = '1h'`)
      await other.query('begin')
      await other.query('select 1 from products for update')
      const importing = catalog.import(changed, { headers })
      await expect
        .poll(async () => (await other.query('select 1 from pg_locks where not granted')).rowCount)
        .toBeGreaterThan(0)
      await other.query('select 1 from catalog_revisions for update')
      await other.query('rollback')
      expect(bodyOf(await importing).summary.update).toBeGreaterThan(0)
      expect(bodyOf(await catalog.compare(changed)).summary).toMatchObject({ create: 0, update: 0 })
    })
  })

  describe('a server that goes down', () => {
    test('finishes the import that is running, and then answers nothing more', async () => {
      const server = await startTestServer(store)
      const catalog = catalogOf(server)
      bodyOf(await catalog.compare(snapshotOf({})))
      const running = catalog.import(largeCatalog(2000))
      await new Promise((resolve) => setTimeout(resolve, 60))
      const closing = server.close()
      const late = await catalog.compare(snapshotOf({})).then(
        ({ status }) => status,
        () => 'refused',
      )
      expect([503, 'refused']).toContain(late)
      expect((await running).status).toBe(200)
      await closing
      expect(await dumpOf(server.databaseUrl)).toContain('ACME-0')
    })
  })

  describe('a server killed in the middle of an import', () => {
    const start = serverProcesses()
    const listening = { host: '127.0.0.1', port: 0, logLevel: 'silent', publicUrl: 'http://licet.example' }
    const spawnServer = async (databaseUrl: string) => {
      const child = start(databaseUrl)
      return { child, origin: await originOf(child) }
    }

    async function kill(child: ChildProcess) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }

    test('has done all of it or nothing, and starts again in health', { timeout: 120_000 }, async () => {
      const server = await startTestServer(store, { publicUrl: listening.publicUrl })
      await server.close()
      const snapshot = JSON.stringify(largeCatalog(1200))
      let whole: number | undefined
      let millis = 0
      for (const share of [1, 0.5, 0.9]) {
        await clearCatalog(server.databaseUrl, server.tenantIds.acme)
        const { child, origin } = await spawnServer(server.databaseUrl)
        const call = (path: string, body?: string) =>
          fetch(`${origin}/t/acme${catalogPath}${path}`, {
            method: body === undefined ? 'GET' : 'POST',
            headers: {
              authorization: `Bearer ${server.tokens.acme}`,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(body === undefined ? {} : { body }),
          })
        expect((await call('/compare', '{"formatVersion":"1.0"}')).status).toBe(200)
        const begun = performance.now()
        const acknowledged = call('/import', snapshot).then(
          ({ ok }) => ok,
          () => false,
        )
        if (share === 1) {
          expect(await acknowledged).toBe(true)
          millis = performance.now() - begun
        } else await new Promise((resolve) => setTimeout(resolve, millis * share))
        await kill(child)
        const wasAcknowledged = await acknowledged
        const again = await startServer({ databaseUrl: server.databaseUrl, ...listening })
        const answer = await fetch(`${again.url}/t/acme${catalogPath}/export`, {
          headers: { authorization: `Bearer ${server.tokens.acme}` },
        })
        const { counts } = (await answer.json()) as { counts: Record<string, number> }
        await again.close()
        const held = Object.values(counts).reduce((sum, count) => sum + count, 0)
        whole ??= held
        expect(whole).toBeGreaterThan(1000)
        expect([0, whole]).toContain(held)
        if (wasAcknowledged) expect(held).toBe(whole)
      }
    })
  })
})
