import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { everyScope, furnishedDatabase, requestToken } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { forEachStore } from '../../support/stores.ts'
import { send } from '../access/scene.ts'
import { webhooks } from './subscribed.ts'

type Line = Record<string, unknown>

forEachStore((store) => {
  const start = serverProcesses()
  let base: string
  let token: string
  let databaseUrl: string
  let logged = ''
  let end: () => Promise<unknown>

  beforeAll(async () => {
    const { clients, ...furnished } = await furnishedDatabase(store)
    databaseUrl = furnished.databaseUrl
    const server = start(databaseUrl, 'info', [])
    server.stderr!.on('data', (part: Buffer) => {
      logged += part.toString()
    })
    base = `${await originOf(server)}/t/acme`
    token = await requestToken(base, clients.acme, everyScope)
    end = () => {
      server.kill('SIGTERM')
      return once(server, 'close')
    }
  })

  test('a challenge and deliveries that are not sent to a private address are a line each, the deliveries together one', async () => {
    const ask = async (method: string, path: string, json?: object, headers = {}) =>
      (await send(method, `${base}${webhooks}${path}`, { token, ...(json && { json }), headers })).body
    const { id } = await ask('POST', '/subscriptions', { url: 'https://crm.example.com/hook', eventTypes: ['*'] })
    const database = openDatabase(databaseUrl)
    const url = 'https://10.0.0.7/hook?key=nobody-may-see'
    await database.transact((tx) =>
      tx
        .updateTable('webhook_subscriptions')
        .set({ url, status: 'Active', verified_at: Date.now() })
        .where('id', '=', String(id))
        .execute(),
    )
    await database.close()
    const verified = await ask('POST', `/subscriptions/${id}/verify`, undefined, { 'x-correlation-id': 'verify' })
    expect(verified.codeName).toBe('webhook.verification_failed')
    const eventType = 'Entitlement.Activated'
    const fired = [1, 2, 3].map(() => ask('POST', `/subscriptions/${id}/test-fire`, { eventType }))
    for (const { deliveryId } of await Promise.all(fired))
      await expect
        .poll(async () => JSON.stringify(await ask('GET', `/deliveries/${deliveryId}`)), { timeout: 20_000 })
        .toContain('"error":"the address is not public"')
    await end()
    const lines = logged
      .split('\n')
      .filter((line) => line.includes('"security"'))
      .map((line) => JSON.parse(line) as Line)
    const refused = {
      level: 40,
      security: 'endpoint_refused',
      tenant: 'acme',
      subject: id,
      reason: 'the address is not public',
      msg: 'endpoint refused',
    }
    const [ofRequest, ...ofDeliveries] = lines
    expect(ofRequest).toMatchObject({
      ...refused,
      correlationId: 'verify',
      operation: 'webhooks.subscriptions.verify',
    })
    expect(ofDeliveries).toEqual([
      { time: expect.anything(), pid: expect.anything(), hostname: expect.anything(), ...refused },
    ])
    expect(logged).not.toMatch(/nobody-may-see|10\.0\.0\.7/)
  })
})
