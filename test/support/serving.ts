import { afterAll, beforeAll } from 'vitest'
import type { ServerOptions } from '../../server/app.ts'
import { startTestServer, type TestServer } from './server.ts'
import type { TestStore } from './stores.ts'

/** A server on a fresh database for the tests of the block this is called in; its fields are there once they run. */
export function serveTests(store: TestStore, options: Partial<ServerOptions> = {}): TestServer {
  const server = {} as TestServer
  beforeAll(async () => {
    Object.assign(server, await startTestServer(store, options))
  })
  afterAll(() => server.close?.())
  return server
}
