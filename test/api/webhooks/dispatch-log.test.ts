import { expect, test } from 'vitest'
import { openSealer } from '../../../server/access/installation/master-key.ts'
import { nowOfTenant } from '../../../server/access/tenants/tenant-clock.ts'
import { readDatabaseUrl } from '../../../server/database/database-url.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { openOutgoing } from '../../../server/kit/outgoing/client.ts'
import { Dispatcher } from '../../../server/webhooks/dispatch/dispatcher.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { webhooksOf } from './subscribed.ts'

const wait = { timeout: 20_000 }

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { subscribe, cause } = webhooksOf(server)

  test('a subscription that is suspended is a line of the log once, however many attempts are still under way', async () => {
    const receiver = await subscribe()
    await server.close()
    server.close = async () => undefined
    const database = openDatabase(server.databaseUrl)
    const outgoing = openOutgoing(true)
    const lines: unknown[] = []
    const dispatcher = new Dispatcher({
      ...{ database, outgoing, sealer: await openSealer(database, readDatabaseUrl(server.databaseUrl)) },
      baseUrlOf: (slug) => `http://licet.example/t/${slug}`,
      nowOf: (tenantId) => nowOfTenant(database.read, tenantId),
      observe: () => undefined,
      log: { warn: (details) => void lines.push(details), error: () => undefined },
    })
    let calls = 0
    let gone = 0
    receiver.answer = (_, reply) => {
      if (++calls <= 20) return void reply.writeHead(204).end()
      setTimeout(() => reply.writeHead(410).end(() => gone++), 200 * (calls - 20))
    }
    await cause(60)
    await expect.poll(() => gone, wait).toBeGreaterThan(3)
    await expect.poll(() => gone === calls - 20, wait).toBe(true)
    await dispatcher.stop()
    await outgoing.close()
    await database.close()
    expect(lines).toEqual([{ id: receiver.id, because: 'the endpoint answered 410' }])
  })
})
