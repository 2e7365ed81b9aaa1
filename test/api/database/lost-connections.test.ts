import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { everyScope, furnish, requestToken } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  const start = serverProcesses()

  test.runIf(store.kind === 'postgres')(
    'connections that are lost in the middle are refusals to try again, and no more',
    async () => {
      const databaseUrl = await store.createDatabase()
      const { clients } = await furnish(databaseUrl)
      const server = start(databaseUrl)
      const base = `${await originOf(server)}/t/acme`
      const token = await requestToken(base, clients.acme, everyScope)
      const statuses = new Map<number, number>()
      let isOver = false
      const ask = async (worker: number) => {
        for (let asked = 0; !isOver; asked++) {
          const answer = await fetch(`${base}/api/v1/provision/admin/tags`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ scope: 'Product', name: `${worker} ${asked}` }),
          })
          await answer.arrayBuffer()
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        }
      }
      const asking = Array.from({ length: 10 }, (_, worker) => ask(worker))
      const other = new pg.Client(databaseUrl)
      await other.connect()
      for (let round = 0; round < 20; round++) {
        await other.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        await sleep(50)
      }
      await other.end()
      await sleep(300)
      isOver = true
      await Promise.all(asking)
      expect(server.exitCode).toBeNull()
      expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
      expect(statuses.get(503)).toBeGreaterThan(0)
      expect((await fetch(`${base.replace('/t/acme', '')}/readyz`)).status).toBe(200)
    },
  )
})
