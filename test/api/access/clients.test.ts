import { expect, test } from 'vitest'
import { rotateClientSecret } from '../../../server/access/clients/operator-deeds.ts'
import { forEachStore } from '../../support/stores.ts'
import { askToken, basicOf, getToken, send, serveScene } from './scene.ts'

const grant = { grant_type: 'client_credentials' }
const all = 'admin.*:* operational.*:* webhooks.*:*'

forEachStore((store) => {
  const scene = serveScene(store)
  const clients = () => `${scene.base}/api/v1/provision/admin/clients`
  const tokenOf = async (...scopes: string[]) =>
    getToken(scene.base, await scene.makeClient(scene.acme, ...scopes), scopes.join(' '))

  test("an operator's new secret leaves the one before good for 24 hours on the tenant's clock", async () => {
    const client = await scene.makeClient(scene.sandbox, 'admin.*:*')
    const sandbox = `${scene.sandboxBase}/api/v1/provision/admin`
    const advance = async (by: string) => {
      const token = await getToken(scene.sandboxBase, client, 'admin.*:*')
      expect((await send('POST', `${sandbox}/test-clock/advance`, { token, json: { by } })).status).toBe(200)
    }
    await advance('P10D')
    const { database, sealer, sandbox: tenant } = scene
    client.clientSecret = (await rotateClientSecret(database, sealer, tenant.id, client.clientId)).clientSecret
    const before = await scene.makeClient(tenant, 'admin.*:*')
    await rotateClientSecret(database, sealer, tenant.id, before.clientId)
    const token = await getToken(scene.sandboxBase, client, 'admin.*:*')
    const { body: clock } = await send('GET', `${sandbox}/test-clock`, { token })
    const { body: kept } = await send('GET', `${sandbox}/clients/${before.clientId}`, { token })
    expect(Date.parse(String(clock.now)) - Date.parse(String(kept.createdAt))).toBeLessThan(60_000)
    await advance('PT23H')
    expect((await askToken(scene.sandboxBase, grant, basicOf(before))).status).toBe(200)
    await advance('PT2H')
    expect((await askToken(scene.sandboxBase, grant, basicOf(before))).status).toBe(401)
  })

  test('a client is created, read, changed, rotated and deleted; its secret is shown once', async () => {
    const token = await tokenOf(...all.split(' '))
    const created = await send('POST', clients(), { token, json: { name: 'ci', scopes: ['admin.catalog:read'] } })
    expect(created.status).toBe(200)
    const client = created.body as { clientId: string; clientSecret: string }
    expect(created.body).toMatchObject({ id: client.clientId, name: 'ci', revisionNumber: 1 })
    expect((await askToken(scene.base, grant, basicOf(client))).status).toBe(200)
    const one = `${clients()}/${client.clientId}`
    const { clientSecret: _, ...record } = created.body
    expect((await send('GET', one, { token })).body).toEqual(record)

    for (const json of [{ name: 'ci 2', scopes: null }, { name: 'ci 2' }, {}])
      expect(await send('PATCH', one, { token, json })).toMatchObject({
        status: 200,
        body: { name: 'ci 2', scopes: ['admin.catalog:read'], revisionNumber: 2 },
      })
    expect(await send('PUT', one, { token, json: { name: 'ci 2' } })).toMatchObject({
      body: { scopes: ['admin.catalog:read'], revisionNumber: 2 },
    })
    expect((await send('PATCH', one, { token, json: { name: 'x' }, headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect(await send('PUT', one, { token, json: { name: 'ci 3', scopes: [] } })).toMatchObject({
      body: { name: 'ci 3', scopes: [], revisionNumber: 3 },
    })

    const rotated = await send('POST', `${one}/rotate-secret`, { token })
    expect(rotated).toMatchObject({ status: 200, body: { previousSecretValidUntil: expect.any(String) } })
    const fresh = { clientId: client.clientId, clientSecret: String(rotated.body.clientSecret) }
    expect((await askToken(scene.base, grant, basicOf(client))).status).toBe(200)
    expect((await askToken(scene.base, grant, basicOf(fresh))).status).toBe(200)
    const until = encodeURIComponent(String(rotated.body.previousSecretValidUntil))
    const found = await send('GET', `${clients()}?filter=previousSecretValidUntil==${until}`, { token })
    expect(found.body).toMatchObject({ items: [{ id: client.clientId }], totalCount: 1 })
    const again = await send('POST', `${one}/rotate-secret`, { token, json: { overlap: 'PT0S' } })
    expect(again.body.previousSecretValidUntil).toBeNull()
    expect((await askToken(scene.base, grant, basicOf(client))).status).toBe(401)
    expect((await askToken(scene.base, grant, basicOf(fresh))).status).toBe(401)
    for (const overlap of ['P32D', 'P999999Y', 'P999999999D'])
      expect(await send('POST', `${one}/rotate-secret`, { token, json: { overlap } })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/overlap' }] },
      })

    const named = await send('GET', `${clients()}?filter=clientId==${client.clientId}`, { token })
    expect(named.body).toMatchObject({ items: [{ id: client.clientId, clientId: client.clientId }], totalCount: 1 })
    const none = `${clients()}?filter=previousSecretValidUntil==null,id==${client.clientId}`
    expect((await send('GET', `${none}&sortOrder=-previousSecretValidUntil`, { token })).body.totalCount).toBe(1)

    expect((await send('DELETE', one, { token })).status).toBe(204)
    expect((await send('GET', one, { token })).status).toBe(404)
    const listed = await send('GET', `${clients()}?filter=id==${client.clientId}`, { token })
    expect(listed.body).toMatchObject({ items: [], totalCount: 0 })
  })

  test('a replayed creation answers the same secret and makes no second client', async () => {
    const token = await tokenOf(...all.split(' '))
    const post = () =>
      send('POST', clients(), { token, json: { name: 'once', scopes: [] }, headers: { 'idempotency-key': 'a key' } })
    const [first, second] = [await post(), await post()]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await send('GET', `${clients()}?filter=name==once`, { token })).body.totalCount).toBe(1)
  })

  test('a secret that a token was answered is not replayed to one that could not have got it', async () => {
    const client = await scene.makeClient(scene.acme, ...all.split(' '))
    const [wide, narrow] = [
      await getToken(scene.base, client, all),
      await getToken(scene.base, client, 'admin.clients:*'),
    ]
    const asking = (path: string, json: object) => {
      const headers = { 'idempotency-key': `beyond${path}` }
      return (token: string) => send('POST', `${clients()}${path}`, { token, json, headers })
    }
    const create = asking('', { name: 'beyond', scopes: ['admin.tags:read'] })
    const made = await create(wide)
    const rotate = asking(`/${made.body.id}/rotate-secret`, {})
    const rotated = await rotate(wide)
    expect([made.status, rotated.status]).toEqual([200, 200])
    for (const again of [create, rotate])
      expect(await again(narrow)).toMatchObject({ status: 403, body: { codeName: 'auth.insufficient_scope' } })
    expect((await create(wide)).body).toEqual(made.body)
    expect((await rotate(wide)).body).toEqual(rotated.body)
  })

  test('a list is filtered, sorted and paged', async () => {
    const token = await tokenOf(...all.split(' '))
    for (const name of ['page b', 'page a', 'page c'])
      await send('POST', clients(), { token, json: { name, scopes: [] } })
    const list = async (query: string) => (await send('GET', `${clients()}?${query}`, { token })).body
    const names = (body: Record<string, unknown>) => (body.items as { name: string }[]).map(({ name }) => name)
    expect(names(await list('filter=Name@=page&sortOrder=-name'))).toEqual(['page c', 'page b', 'page a'])
    expect(await list('filter=name_=page&pageSize=2&pageNumber=2')).toMatchObject({
      totalCount: 3,
      totalPages: 2,
      pageNumber: 2,
      pageSize: 2,
      hasNextPage: false,
      hasPreviousPage: true,
    })
    for (const query of ['filter=secretHash==x', 'sortOrder=scopes', 'pageNumber=0', 'filter=name'])
      expect(await send('GET', `${clients()}?${query}`, { token })).toMatchObject({
        status: 400,
        body: { codeName: 'license.validation_error' },
      })
  })

  test('scopes that do not exist are named, and those the caller lacks cannot be granted', async () => {
    const token = await tokenOf('admin.clients:*', 'admin.tags:*')
    const post = (...scopes: string[]) => send('POST', clients(), { token, json: { name: 'x', scopes } })
    expect(await post('admin.tags:read', 'admin.gadgets:read')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/scopes/1', message: expect.stringContaining('admin.gadgets:read') }] },
    })
    expect(await post('admin.tags:write')).toMatchObject({ status: 200 })
    for (const scope of ['admin.products:read', 'admin.*:read', 'operational.*:*'])
      expect(await post(scope)).toMatchObject({
        status: 403,
        body: { codeName: 'auth.insufficient_scope', detail: expect.stringContaining(scope) },
      })
  })

  test('a client that may do more cannot be taken over, nor be given more', async () => {
    const token = await tokenOf('admin.clients:*')
    const stronger = await scene.makeClient(scene.acme, 'admin.products:read')
    const one = `${clients()}/${stronger.clientId}`
    expect((await send('POST', `${one}/rotate-secret`, { token })).status).toBe(403)
    const give = (...scopes: string[]) => send('PATCH', one, { token, json: { scopes } })
    expect((await give('admin.products:*')).status).toBe(403)
    expect((await give('admin.products:read', 'admin.clients:read')).status).toBe(200)
  })

  test('a client of another tenant is as good as none', async () => {
    const token = await tokenOf(...all.split(' '))
    const foreign = await scene.makeClient(scene.neighbour, 'admin.tags:read')
    const none = '01890000-0000-7000-8000-000000000000'
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['PUT', '', { name: 'x', scopes: [] }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
    ]
    for (const [method, action, json] of calls) {
      const ask = async (id: string) => {
        const { status, body } = await send(method, `${clients()}/${id}${action}`, { token, json })
        return { status, body: { ...body, instance: '' } }
      }
      expect(await ask(foreign.clientId)).toEqual(await ask(none))
      expect((await ask(foreign.clientId)).status).toBe(404)
    }
    expect((await askToken(scene.neighbourBase, grant, basicOf(foreign))).status).toBe(200)
  })

  test('each verb needs its own scope', async () => {
    const { clientId } = await scene.makeClient(scene.acme)
    const calls: [string, string, string, unknown?][] = [
      ['read', 'GET', ''],
      ['read', 'GET', `/${clientId}`],
      ['create', 'POST', '', { name: 'x', scopes: [] }],
      ['update', 'PATCH', `/${clientId}`, { name: 'x' }],
      ['update', 'PUT', `/${clientId}`, { name: 'x', scopes: [] }],
      ['update', 'POST', `/${clientId}/rotate-secret`],
      ['delete', 'DELETE', `/${clientId}`],
    ]
    const opens: Record<string, string[]> = {
      read: ['read'],
      create: ['create'],
      update: ['update'],
      write: ['create', 'update'],
      delete: ['delete'],
    }
    for (const [held, verbs] of Object.entries(opens)) {
      const token = await tokenOf(`admin.clients:${held}`)
      for (const [verb, method, path, json] of calls) {
        const { status, body } = await send(method, clients() + path, { token, json })
        if (verbs.includes(verb)) expect(status, `${held}: ${method} ${path}`).toBeLessThan(300)
        else {
          expect(status, `${held}: ${method} ${path}`).toBe(403)
          expect(body.detail).toContain(`admin.clients:${verb}`)
        }
      }
    }
    const sibling = await tokenOf('admin.tags:*')
    expect((await send('GET', clients(), { token: sibling })).status).toBe(403)
    const none = await getToken(scene.base, await scene.makeClient(scene.acme, 'admin.*:*'))
    const refused = await send('GET', clients(), { token: none })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  })
})
