import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../server/access/clients/operator-deeds.ts'
import { openSealer } from '../../../server/access/installation/master-key.ts'
import { createTenant } from '../../../server/access/tenants/tenant-creation.ts'
import { readDatabaseUrl } from '../../../server/database/database-url.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { requestToken, startTestServer, type TestServer } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  let server: TestServer
  let behindProxy: TestServer
  const shopClients: { clientId: string; clientSecret: string }[] = []
  beforeAll(async () => {
    server = await startTestServer(store)
    behindProxy = await startTestServer(store, { publicUrl: 'https://licences.example', defaultTenant: 'acme' })
    for (const { databaseUrl } of [server, behindProxy]) {
      const database = openDatabase(databaseUrl)
      const sealer = await openSealer(database, readDatabaseUrl(databaseUrl))
      const hostNames = ['shop.example']
      const shop = { slug: 'shop', name: 'Shop', kind: 'Live', hostNames } as const
      const { id: tenantId } = await createTenant(database, sealer, shop, Date.now())
      shopClients.push(
        await createClient(database, sealer, { tenantId, name: 'settings', scopes: ['admin.settings:*'] }),
      )
      await database.close()
    }
  })
  afterAll(async () => {
    await server.close()
    await behindProxy.close()
  })

  /** The issuer of the tenant that a Host leads to, or the status of its refusal. */
  const issuerAt = (origin: string, host: string) =>
    new Promise<string | number>((resolve, reject) => {
      const sent = request(`${origin}/.well-known/oauth-authorization-server`, { headers: { host } }, (response) => {
        let text = ''
        response.on('data', (data) => {
          text += data
        })
        response.on('end', () => resolve(response.statusCode === 200 ? JSON.parse(text).issuer : response.statusCode!))
      })
      sent.on('error', reject).end()
    })

  test.each(['shop.example', 'SHOP.example', 'shop.example.', 'shop.example:8080'])(
    'the Host %s leads to the tenant whose name it is',
    async (host) => {
      expect(await issuerAt(server.origin, host)).toBe(`http://shop.example:${new URL(server.origin).port}`)
      expect(await issuerAt(behindProxy.origin, host)).toBe('https://shop.example')
    },
  )

  test('a tenant with a host name trusts no issuer whose keys are on the machine of the server', async () => {
    const token = await requestToken(`${server.origin}/t/shop`, shopClients[0]!, ['admin.settings:*'])
    const trusted = { issuer: 'https://id.example', audience: 'a', jwksUri: 'http://127.0.0.1:9/keys' }
    const settings = '/t/shop/api/v1/provision/admin/settings'
    const refused = await server.api('PATCH', settings, { tenant: null, token, body: { trustedIssuers: [trusted] } })
    expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: '/trustedIssuers/0/jwksUri' }] })
  })

  test('any other Host leads to the default tenant, and nowhere when there is none', async () => {
    for (const host of ['other.example', 'xshop.example', 'shop.example.org', '[::1]:80']) {
      expect(await issuerAt(server.origin, host)).toBe(404)
      expect(await issuerAt(behindProxy.origin, host)).toBe('https://licences.example/t/acme')
    }
  })
})
