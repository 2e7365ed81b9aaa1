import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { formatVersion, type Snapshot } from '../../../catalog-schema/snapshot-format.ts'
import { type ServerOptions, startServer } from '../../../server/app.ts'
import { forEachStore } from '../../support/stores.ts'

/** What keeps on by itself until it is closed. */
const kinds = ['Timeout', 'TCPSERVERWRAP', 'TCPWRAP', 'WORKER']

/** Does `work`; `open` answers what of these kinds it has opened and not closed by now, whatever else goes on meanwhile. */
function openedBy(work: () => Promise<unknown>) {
  const within = new AsyncLocalStorage<true>()
  const open = new Map<number, string>()
  const hook = createHook({
    init: (id, kind) => void (within.getStore() && kinds.includes(kind) && open.set(id, kind)),
    destroy: (id) => void open.delete(id),
  }).enable()
  onTestFinished(() => void hook.disable())
  return { done: within.run(true, work), open: () => [...open.values()] }
}

async function takePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  return (taken.address() as { port: number }).port
}

forEachStore((store) => {
  const startOn = (databaseUrl: string, more: Partial<ServerOptions>) =>
    startServer({ databaseUrl, host: '127.0.0.1', port: 0, logLevel: 'silent', ...more })

  test('a server whose port is taken leaves nothing open', async () => {
    const databaseUrl = await store.createDatabase()
    const port = await takePort()

    const { done, open } = openedBy(() => startOn(databaseUrl, { port }))

    await expect(done).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await expect.poll(open).toEqual([])
  })

  test('a server that has no tenant for its catalog leaves nothing open', async () => {
    const databaseUrl = await store.createDatabase()
    const snapshot = { formatVersion } as Snapshot

    const { done, open } = openedBy(() => startOn(databaseUrl, { catalog: { snapshot, overwrite: false } }))

    await expect(done).rejects.toThrow('There is no tenant to import into yet')
    await expect.poll(open).toEqual([])
  })
})
