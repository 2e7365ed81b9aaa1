import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { test as everyTest, expect } from 'vitest'
import { furnishedDatabase } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { forEachStore } from '../../support/stores.ts'

/** Longer than Fastify gives what it closes by itself. */
const longMillis = 14_000

forEachStore((store) => {
  const start = serverProcesses()
  const test = everyTest.runIf(store.kind === 'sqlite')

  test('a server ends well however long the answers take that it still owes', async () => {
    const { databaseUrl } = await furnishedDatabase(store)
    const server = start(databaseUrl)
    const { hostname, port } = new URL(await originOf(server))
    const socket = connect(Number(port), hostname)
    let heads = 0
    // More than the kernel takes of answers that nobody reads.
    const asked = 40
    socket.write('GET /t/acme/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(asked))
    socket.pause()
    await pause(500)
    server.kill('SIGTERM')
    const ended = once(server, 'exit')
    await pause(longMillis)
    socket.resume().on('data', (data) => {
      heads += data.toString('latin1').split('HTTP/1.1 ').length - 1
    })
    expect(await ended).toEqual([0, null])
    expect(heads).toBeGreaterThan(1)
  })
})
