import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, type TRPCClientError } from '@trpc/client'
import { describe, expect, test } from 'vitest'
import type { AppRouter } from '../../../server/router.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'

const unusedId = '0190aaaa-0000-7000-8000-000000000000'

forEachStore((store) => {
  const server = serveTests(store)

  const query = (names: string, input: unknown = {}, options = {}) =>
    server.api('GET', `/trpc/${names}?input=${encodeURIComponent(JSON.stringify(input))}`, options)

  test('a batch holds at most ten calls; the refusal of a longer one is a whole problem', async () => {
    const batch = (size: number) =>
      server.api('GET', `/trpc/${Array(size).fill('admin.tags.list').join(',')}?batch=1&input=%7B%7D`)
    expect((await batch(10)).body).toHaveLength(10)
    const refused = await batch(11)
    expect(refused).toMatchObject({ status: 400, body: { error: { codeName: 'request.malformed' } } })
    expect(refused.body.error.type).toBe(`${server.baseUrl()}/docs/problems/request.malformed`)
  })

  test.each([
    ['when all answer it', ['admin.tags.list', 'admin.tags.list'], 200],
    ['when all are refused by it', ['admin.tags.get', 'admin.products.get'], 404],
    ['else 207', ['admin.tags.get', 'admin.tags.list'], 207],
    ['else 207, refused by several, too', ['admin.tags.get', 'admin.keys.list'], 207],
  ] as const)('a batch has the status of its calls %s', async (_, names, status) => {
    const inputs = Object.fromEntries(names.map((name, at) => [at, name === 'admin.tags.list' ? {} : { id: unusedId }]))
    const answer = await server.api('GET', `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`)
    expect([answer.status, answer.body.length]).toEqual([status, 2])
  })

  test.each(['1', '00', 'x', 'length'])(
    'an input of a batch that is of none of its calls is refused: %s',
    async (place) => {
      const inputs = JSON.stringify({ 0: {}, [place]: {} })
      const refusals = [
        await server.api('GET', `/trpc/admin.tags.list?batch=1&input=${encodeURIComponent(inputs)}`),
        await server.api('POST', '/trpc/admin.tags.create?batch=1', { body: inputs }),
      ]
      for (const { status, body } of refusals)
        expect([status, body[0].error.errors]).toEqual([
          400,
          [{ pointer: `/${place}`, message: 'the batch has no such call' }],
        ])
    },
  )

  describe('a number that a double would round', () => {
    const number = '9007199254740993'
    const notANumber = (pointer: string) => [
      { pointer, message: expect.stringMatching(/^must be text.*, not a number$/) },
    ]
    const errorsOf = (answer: { body: { error: { data?: object; errors?: object } } }) => answer.body.error.errors
    const post = (names: string, body: string) => server.api('POST', `/trpc/${names}`, { body })

    test('is no text, alone, in a batch or in a query', async () => {
      const tag = `{"scope":"Product","name":${number}}`
      expect(errorsOf(await post('admin.tags.create', tag))).toEqual(notANumber('/name'))
      const [made, refused] = (
        await post('admin.customers.create,admin.tags.create?batch=1', `{"0":{"name":"${number}"},"1":${tag}}`)
      ).body
      expect(made.result.data).toMatchObject({ name: number })
      expect(refused.error.errors).toEqual(notANumber('/name'))
      const asked = await server.api('GET', `/trpc/admin.tags.list?input={"filter":${number}}`)
      expect(errorsOf(asked)).toEqual([{ ...notANumber('')[0], pointer: 'filter' }])
    })

    test('is no text of a snapshot', async () => {
      const snapshot = `{"snapshot":{"formatVersion":"1.0","tags":[{"scope":"Product","name":${number}}]}}`
      expect(errorsOf(await post('admin.catalog.compare', snapshot))).toEqual(notANumber('/tags/0/name'))
      const [refused] = (await post('admin.catalog.compare?batch=1', `{"0":${snapshot}}`)).body
      expect(refused.error.errors).toEqual(notANumber('/tags/0/name'))
    })

    test('is a number to its last digit where one may stand', async () => {
      const feature = `{"featureCode":"A","featureType":"Numeric","value":${number}}`
      const product = `{"productCode":"EXACT-${store.kind}","name":"Exact","features":[${feature}]}`
      const made = await post('admin.products.create', product)
      expect(made.body.result.data.features).toMatchObject([{ value: number }])
    })
  })

  test.each(['accept', 'trpc-accept'])(
    'an answer is whole even for a client that asks for a stream by %s',
    async (name) => {
      const url = `${server.baseUrl()}/trpc/admin.tags.list,admin.tags.list?batch=1&input=%7B%7D`
      const headers = { authorization: `Bearer ${server.tokens.acme}`, [name]: 'application/jsonl' }
      const answer = await fetch(url, { headers })
      expect([answer.status, answer.headers.get('transfer-encoding')]).toEqual([200, null])
      const [head, ...rest] = (await answer.text()).trimEnd().split('\n')
      expect(Object.keys(JSON.parse(head!))).toEqual(['0', '1'])
      expect(rest.length).toBeGreaterThan(2)
      const alone = await fetch(`${server.baseUrl()}/trpc/admin.tags.list`, { headers })
      expect(await alone.json()).toMatchObject({ result: { data: { items: [] } } })
    },
  )

  describe("tRPC's streaming link", () => {
    const clientWith = (token: string, streamHeader?: 'accept') => {
      const headers = { authorization: `Bearer ${token}` }
      const link = httpBatchStreamLink({
        url: `${server.baseUrl()}/trpc`,
        headers,
        ...(streamHeader && { streamHeader }),
      })
      return createTRPCClient<AppRouter>({ links: [link] })
    }
    const caught = (error: unknown) => error as TRPCClientError<AppRouter>

    test.each([undefined, 'accept'] as const)('reads answers and problems of a batch, asking by %s', async (header) => {
      const client = clientWith(server.tokens.acme, header)
      const name = `Streamed ${header}`
      const [made, again, nothing] = await Promise.all([
        client.admin.tags.create.mutate({ scope: 'Product', name }),
        client.admin.tags.create.mutate({} as never).catch(caught),
        client.admin.tags.delete.mutate({ id: unusedId }).catch(caught),
      ])
      expect(made).toMatchObject({ name })
      expect(again).toMatchObject({ data: { codeName: 'license.validation_error', errors: expect.any(Array) } })
      expect(nothing).toMatchObject({ data: { codeName: 'license.record_not_found' } })
      expect(await client.admin.tags.get.query({ id: made.id })).toEqual(made)
      expect(await client.admin.tags.delete.mutate({ id: made.id })).toBeUndefined()
      const compared = await client.admin.catalog.compare
        .mutate({ snapshot: { formatVersion: '1.0' } } as never)
        .catch(caught)
      expect(compared).toMatchObject({ items: [] })
    })

    test('reads what refuses a whole batch', async () => {
      const client = clientWith('garbage')
      const asked = () => client.admin.tags.list.query({}).catch(caught)
      for (const refused of await Promise.all([asked(), asked()]))
        expect(refused).toMatchObject({ data: { codeName: 'auth.unauthenticated', status: 401 } })
      const eleven = clientWith(server.tokens.acme)
      const list = () => eleven.admin.tags.list.query({}).catch(caught)
      for (const refused of await Promise.all(Array.from({ length: 11 }, list)))
        expect(refused).toMatchObject({ data: { codeName: 'request.malformed', status: 400 } })
    })
  })

  test('HEAD is GET without its body', async () => {
    const [head, get] = [await server.api('HEAD', '/trpc/admin.tags.list'), await query('admin.tags.list')]
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
      get.status,
      get.headers.get('content-type'),
      '',
    ])
  })

  test('a procedure has one spelling', async () => {
    for (const name of ['admin.tags.list%3Fx', 'admin.tags.list/', 'admin.tags', '__proto__', '..%2fhealthz'])
      expect([name, (await query(name)).status]).toEqual([name, 404])
  })

  test.each([
    ['no token', 'admin.tags.list', {}, { token: null }, 401, 'auth.unauthenticated'],
    ['a token that is none', 'admin.tags.list', {}, { token: 'garbage' }, 401, 'auth.unauthenticated'],
    ['a mutation asked', 'admin.tags.create', {}, {}, 405, 'request.method_not_allowed'],
    ['a record that is none', 'admin.tags.get', { id: unusedId }, {}, 404, 'license.record_not_found'],
    ['a heavy mutation asked', 'admin.catalog.import', {}, {}, 405, 'request.method_not_allowed'],
  ])(
    '%s is refused in the error shape, with the status that REST has',
    async (_, name, input, options, status, codeName) => {
      const answer = await query(name, input, options)
      expect(answer).toMatchObject({ status, body: { error: { status, codeName } } })
      expect(answer.text).not.toMatch(/stack|node_modules|\.ts:/)
    },
  )

  test.each([
    ['alone', httpLink],
    ['in a batch', httpBatchLink],
  ])("tRPC's own client catches the problem, asked %s", async (_, link) => {
    const headers = { authorization: `Bearer ${server.tokens.acme}` }
    const client = createTRPCClient<AppRouter>({ links: [link({ url: `${server.baseUrl()}/trpc`, headers })] })
    const [absent, invalid] = await Promise.all([
      client.admin.tags.get.query({ id: unusedId }).catch((error: unknown) => error as TRPCClientError<AppRouter>),
      client.admin.tags.create.mutate({} as never).catch((error: unknown) => error as TRPCClientError<AppRouter>),
    ])
    const problem = (await query('admin.tags.get', { id: unusedId })).body.error.data
    expect(problem).toMatchObject({ status: 404, codeName: 'license.record_not_found', code: 2005 })
    expect(absent).toMatchObject({ message: problem.detail, data: problem, shape: problem })
    expect(invalid).toMatchObject({ data: { codeName: 'license.validation_error', errors: expect.any(Array) } })
  })

  test('of a batch each call is let in by itself, whatever the others ask of the token', async () => {
    const batch = (names: string, token: string | null) =>
      server.api('GET', `/trpc/${names}?batch=1&input=%7B%7D`, { token })
    for (const token of ['garbage', null]) {
      const { status, body } = await batch('scopes.list,admin.tags.list,nothing.there', token)
      expect(status).toBe(207)
      expect(body[0].result.data).toBeDefined()
      expect([body[1].error.codeName, body[2].error.codeName]).toEqual([
        'auth.unauthenticated',
        'request.route_not_found',
      ])
    }
    const known = await batch('scopes.list,admin.tags.list,consumer.sessions.list', server.tokens.acme)
    expect(known.status).toBe(207)
    expect([known.body[1].result.data.items, known.body[2].error.codeName]).toEqual([[], 'auth.unauthenticated'])
    expect((await query('nothing.there', {}, { token: 'garbage' })).body.error.codeName).toBe('request.route_not_found')
  })

  test('what tRPC cannot read is refused as a whole problem, too', async () => {
    for (const asked of ['admin.tags.get,admin.tags.create?batch=1&input=%7B%7D', 'admin.tags.get?batch=1&input=[]']) {
      const refused = await server.api('GET', `/trpc/${asked}`)
      expect(refused.headers.get('content-type')).toMatch(/^application\/json/)
      const body = [refused.body].flat()[0]
      expect(body.error).toMatchObject({
        codeName: 'request.malformed',
        type: `${server.baseUrl()}/docs/problems/request.malformed`,
        instance: expect.stringMatching(/\/trpc\/admin\.tags\.get/),
      })
    }
    expect((await server.api('GET', '/trpc/admin.tags.list?connectionParams=1')).status).toBe(200)
  })

  test.each([
    ['GET', 'admin.tags.list?zz=1', 'zz'],
    ['GET', 'admin.tags.list,admin.tags.list?batch=1&zz=1&input=%7B%7D', 'zz'],
    ['GET', 'admin.tags.list?batch=2&input=%7B%7D', 'batch'],
    ['POST', 'admin.tags.create?batch&input=%7B%7D', 'batch'],
    ['POST', 'admin.tags.create?name=x', 'name'],
    ['POST', 'admin.catalog.compare?include=unchanged', 'include'],
  ])("what is not tRPC's own in the query of %s %s is named", async (method, asked, pointer) => {
    const { status, body } = await server.api(method, `/trpc/${asked}`, method === 'POST' ? { body: {} } : {})
    expect(status).toBe(400)
    expect([body].flat()[0].error).toMatchObject({ codeName: 'license.validation_error', errors: [{ pointer }] })
  })

  test('a field that a query does not have is named', async () => {
    expect((await query('admin.tags.get', { id: unusedId, nonsense: 1 })).body.error).toMatchObject({
      codeName: 'license.validation_error',
      errors: [{ pointer: 'nonsense' }],
    })
  })

  test.each([
    [{}, 'is missing'],
    [{ id: 5 }, expect.any(String)],
  ])('a record that is not named is asked for: %j', async (input, message) => {
    expect((await query('admin.tags.get', input)).body.error).toMatchObject({
      codeName: 'license.validation_error',
      errors: [{ pointer: '/id', message }],
    })
    expect((await query('admin.tags.get', { id: 'none' })).body.error.codeName).toBe('license.record_not_found')
  })

  test('there is nothing at the path of no procedure', async () => {
    for (const path of ['/trpc', '/trpc/'])
      for (const method of ['GET', 'POST', 'DELETE'])
        expect([method, path, (await server.api(method, path)).status]).toEqual([method, path, 404])
  })

  test('a large body is read only of a caller that may use what it is for', async () => {
    const body = new Uint8Array(2 * 1024 * 1024).fill(32)
    const post = (name: string, token?: string | null) =>
      server.api('POST', `/trpc/${name}`, {
        body,
        headers: { 'content-type': 'application/json' },
        ...(token === undefined ? {} : { token }),
      })
    const readOnly = await server.tokenWith(['admin.*:read'])
    expect((await post('admin.tags.create')).body.error.codeName).toBe('request.too_large')
    expect((await post('admin.catalog.import', null)).body.error.codeName).toBe('auth.unauthenticated')
    expect((await post('admin.catalog.import', readOnly)).body.error.codeName).toBe('auth.insufficient_scope')
    expect((await post('admin.catalog.import')).body.error.codeName).toBe('request.malformed')
  })

  test('an Idempotency-Key is of one call of a procedure: a batch with two is refused whole', async () => {
    const tags = (name: string) => ({ scope: 'Product', name })
    const send = (procedures: string[], body: object) =>
      server.api('POST', `/trpc/${procedures.join(',')}?batch=1`, {
        headers: { 'idempotency-key': 'of a batch' },
        body,
      })
    const twice = await send(['admin.tags.create', 'admin.tags.create'], { 0: tags('one'), 1: tags('two') })
    expect([twice.status, twice.body.map(({ error }: { error: { codeName: string } }) => error.codeName)]).toEqual([
      400,
      ['request.malformed', 'request.malformed'],
    ])
    const customer = { name: 'of a batch' }
    const apart = await send(['admin.tags.create', 'admin.customers.create'], { 0: tags('one'), 1: customer })
    expect([apart.body[0].result.data.name, apart.body[1].result.data.name]).toEqual(['one', 'of a batch'])
  })
})
