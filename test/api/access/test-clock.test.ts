import { expect, test } from 'vitest'
import { forEachStore } from '../../support/stores.ts'
import { askToken, basicOf, getToken, send, serveScene } from './scene.ts'

const day = 24 * 3_600_000
const scope = 'admin.test-clock:* admin.clients:*'

forEachStore((store) => {
  const scene = serveScene(store)
  const clock = (base: string) => `${base}/api/v1/provision/admin/test-clock`
  const makeClient = (tenant = scene.sandbox) => scene.makeClient(tenant, ...scope.split(' '))
  const nowOf = async (token: string) =>
    Date.parse(String((await send('GET', clock(scene.sandboxBase), { token })).body.now))

  test('the clock of a sandbox moves forward, goes on by itself, and the tokens of before are over', async () => {
    const client = await makeClient()
    const token = await getToken(scene.sandboxBase, client, scope)
    const advance = (json: object) => send('POST', `${clock(scene.sandboxBase)}/advance`, { token, json })
    const start = await nowOf(token)
    const within = await advance({ by: 'PT5M' })
    expect(within).toMatchObject({ status: 200, body: { frozen: false } })
    expect(Date.parse(String(within.body.now)) - start).toBeGreaterThanOrEqual(300_000)
    expect(await nowOf(token)).toBeGreaterThanOrEqual(Date.parse(String(within.body.now)))
    expect(await advance({ to: new Date(start).toISOString() })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/to' }] },
    })
    for (const json of [{}, { by: 'P1D', to: '2999-01-01T00:00:00Z' }, { by: 'yesterday' }, { by: '-P1D' }])
      expect((await advance(json)).status).toBe(400)
    expect((await advance({ by: 'P3D' })).status).toBe(200)
    expect((await send('GET', clock(scene.sandboxBase), { token })).status).toBe(401)
    const fresh = await getToken(scene.sandboxBase, client, scope)
    expect((await nowOf(fresh)) - start).toBeGreaterThanOrEqual(3 * day)
  })

  test('advances that arrive together add up', async () => {
    const client = await makeClient()
    const token = await getToken(scene.sandboxBase, client, scope)
    const start = await nowOf(token)
    const url = `${clock(scene.sandboxBase)}/advance`
    await Promise.all([1, 2, 3, 4].map(() => send('POST', url, { token, json: { by: 'PT1M' } })))
    expect((await nowOf(token)) - start).toBeGreaterThanOrEqual(240_000)
    const far = await Promise.all([1, 2, 3].map(() => send('POST', url, { token, json: { by: 'P10D' } })))
    // One that comes when the clock is there already has a token that is over.
    const gone = far.filter(({ status }) => status === 200).length
    expect(gone).toBeGreaterThan(0)
    const fresh = await getToken(scene.sandboxBase, client, scope)
    expect((await nowOf(fresh)) - start).toBeGreaterThanOrEqual(gone * 10 * day)
  })

  test('an advance that is asked again under its key moves the clock once, however far that was', async () => {
    const client = await makeClient()
    const headers = { 'idempotency-key': 'a jump' }
    const jump = async () => {
      const token = await getToken(scene.sandboxBase, client, scope)
      return send('POST', `${clock(scene.sandboxBase)}/advance`, { token, json: { by: 'P3D' }, headers })
    }
    const first = await jump()
    const again = await jump()
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    const token = await getToken(scene.sandboxBase, client, scope)
    expect((await nowOf(token)) - Date.parse(String(first.body.now))).toBeLessThan(day)
  })

  test('a rotated secret is over a day later on the clock of the tenant', async () => {
    const client = await makeClient()
    const token = await getToken(scene.sandboxBase, client, scope)
    const one = `${scene.sandboxBase}/api/v1/provision/admin/clients/${client.clientId}`
    const { clientSecret } = (await send('POST', `${one}/rotate-secret`, { token })).body
    const ask = (secret: unknown) =>
      askToken(
        scene.sandboxBase,
        { grant_type: 'client_credentials' },
        basicOf({ clientId: client.clientId, clientSecret: String(secret) }),
      )
    expect([(await ask(client.clientSecret)).status, (await ask(clientSecret)).status]).toEqual([200, 200])
    await send('POST', `${clock(scene.sandboxBase)}/advance`, { token, json: { by: 'P1D' } })
    expect([(await ask(client.clientSecret)).status, (await ask(clientSecret)).status]).toEqual([401, 200])
  })

  test('a live tenant has no test clock', async () => {
    const token = await getToken(scene.base, await makeClient(scene.acme), scope)
    const url = clock(scene.base)
    for (const answer of [
      await send('GET', url, { token }),
      await send('POST', `${url}/advance`, { token, json: { by: 'P1D' } }),
      await send('POST', `${url}/advance`, { token, json: { by: 'zz' } }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { codeName: 'license.record_not_found' } })
  })
})
