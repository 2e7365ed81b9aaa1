import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTRPCClient, httpBatchLink, type TRPCClientError } from '@trpc/client'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startServer } from '../../../server/app.ts'
import type { AppRouter } from '../../../server/router.ts'
import { startTestServer } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  test('a call that arrives while the server goes down is refused in the error shape of tRPC, each of a batch', async () => {
    const server = await startTestServer(store)
    const { hostname, port, pathname } = new URL(server.baseUrl())
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (data) => {
      received += data.toString()
    })
    await once(socket, 'connect')
    socket.write(`GET ${pathname}/trpc/admin.tags.list,admin.tags.list?batch=1 HTTP/1.1\r\nHost:`)
    await sleep(100)
    const closed = once(socket, 'close')
    const closing = server.close()
    socket.write(' a\r\n\r\n')
    await Promise.all([closed, closing])
    expect(received).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 2\r\n/s)
    const refused = { error: expect.objectContaining({ code: 9003, codeName: 'server.unavailable', status: 503 }) }
    expect(JSON.parse(received.split('\r\n\r\n', 2)[1]!)).toEqual([refused, refused])
  })

  test.runIf(store.kind === 'postgres')('a client of tRPC reads that the database is away', async () => {
    const databaseUrl = await store.createDatabase()
    const server = await startServer({ databaseUrl, host: '127.0.0.1', port: 0, logLevel: 'silent' })
    const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${server.url}/t/acme/trpc` })] })
    const other = new pg.Client(Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href)
    await other.connect()
    const name = new URL(databaseUrl).pathname.slice(1)
    await other.query(`alter database ${name} with allow_connections false`)
    await other.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    const calls = [client.admin.tags.list.query({}), client.admin.suites.list.query({})]
    const failures = await Promise.all(calls.map((call) => call.catch((error: TRPCClientError<AppRouter>) => error)))
    await other.query(`alter database ${name} with allow_connections true`)
    await other.end()
    await server.close()
    expect(failures.map((failure) => (failure as TRPCClientError<AppRouter>).data)).toEqual(
      Array(2).fill(
        expect.objectContaining({ code: 9003, codeName: 'server.unavailable', instance: expect.any(String) }),
      ),
    )
  })
})
