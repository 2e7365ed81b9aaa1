import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from '@scalar/openapi-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationsOf } from '../../../server/kit/rest/operation.ts'
import { appRouter } from '../../../server/router.ts'
import { root, sourcesIn } from '../../facts/imports.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'
import { noSuchId } from '../catalog/catalog-collection.ts'

type Json = Record<string, unknown>
interface Operation extends Json {
  operationId: string
  summary: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required: boolean; schema: Json }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>
}

/** Routes that are no operations of the router: OAuth's own, how the reference is read, how the server is watched. */
const besideTheReference = [
  '/auth/connect/token',
  '/docs',
  '/docs/assets/{}',
  '/docs/problems/{}',
  '/healthz',
  '/metrics',
  '/openapi.json',
  '/readyz',
]

/** The headers of answers that the reference is to tell of. */
const telling = ['X-Correlation-Id', 'Idempotency-Replayed', 'Retry-After', 'WWW-Authenticate']

const told = ({ description }: Json) => typeof description === 'string'

const twice = { formatVersion: '1.0', products: [{ productCode: 'TWICE' }, { productCode: 'TWICE' }] }

forEachStore((store) => {
  describe('the OpenAPI document', () => {
    let server: TestServer
    let document: Json & { paths: Record<string, Record<string, Operation>> }
    let operations: { path: string; method: string; operation: Operation }[]

    beforeAll(async () => {
      server = await startTestServer(store)
      document = (await server.api('GET', '/openapi.json', { token: null })).body
      operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, described]) => {
          const parameters = described.parameters.map((parameter) => resolved(document, parameter))
          return { path, method, operation: { ...described, parameters } as Operation }
        }),
      )
    })
    afterAll(() => server?.close())

    test('says of what is sent what it means, and of a PUT what it requires', () => {
      const silent = operations.flatMap(({ operation }) =>
        operation.parameters
          .filter(({ in: place, schema, ...parameter }) => place !== 'path' && !told(parameter) && !told(schema))
          .map(({ name }) => `${operation.operationId} ${name}`),
      )
      expect(silent).toEqual([])
      expect(operations.filter(({ operation }) => / an user/.test(operation.summary))).toEqual([])
      const users = operations.find(({ operation }) => operation.operationId === 'admin.users.replace')
      expect(users?.operation.description).toContain('requires `email`;')
    })

    test('is valid OpenAPI 3.1, for the tenant that was asked', async () => {
      const { valid, errors } = await validate(structuredClone(document))
      expect(errors ?? []).toEqual([])
      expect(valid).toBe(true)
      expect(document.openapi).toMatch(/^3\.1\./)
      expect(document.servers).toEqual([{ url: server.baseUrl() }])
      const neighbours = await server.api('GET', '/openapi.json', { tenant: 'neighbour', token: null })
      expect(neighbours.body.servers).toEqual([{ url: server.baseUrl('neighbour') }])
    })

    test('a change and a body with required fields are not asked for without one', () => {
      const required = ['admin.products.update', 'admin.products.replace', 'admin.products.create', 'admin.keys.rotate']
      const told = required.map((name) => operations.find(({ operation }) => operation.operationId === name)!)
      expect(told.map(({ operation }) => operation.requestBody!.required)).toEqual([true, true, true, false])
      const { schema } = told[2]!.operation.requestBody!.content['application/json']!
      expect(resolved(document, schema)).toMatchObject({
        properties: { name: { description: expect.not.stringContaining('left out') } },
      })
    })

    test('an Idempotency-Key is asked for where something is changed, signed in or not', () => {
      const reading = operations.filter(
        ({ operation }) => !operation.parameters.some(({ name }) => name === 'Idempotency-Key'),
      )
      const posts = reading.filter(({ method }) => method !== 'get').map(({ operation }) => operation.operationId)
      expect(posts.toSorted()).toEqual([
        'activations.admission.check',
        'admin.catalog.compare',
        'auth.token',
        'usage.tryPreallocate',
      ])
    })

    test('an operation that takes either of two tokens names both', () => {
      const upload = operations.find(({ operation }) => operation.operationId === 'usage.entitlements.transactions')!
      expect(upload.operation.security).toEqual([{ session: [] }, { client: ['operational.entitlements:update'] }])
    })

    test('every scope says what it opens', () => {
      const { securitySchemes } = document.components as { securitySchemes: Record<string, Json> }
      const { scopes } = (securitySchemes.client!.flows as { clientCredentials: { scopes: object } }).clientCredentials
      expect(Object.keys(scopes).length).toBeGreaterThan(20)
      for (const words of Object.values(scopes)) expect(words).toMatch(/^\w.+: \w/)
    })

    test('every operation has a name of its own, a summary and its answers', () => {
      expect(operations.length).toBeGreaterThan(20)
      const names = operations.map(({ operation }) => operation.operationId)
      expect(new Set(names).size).toBe(names.length)
      for (const { path, method, operation } of operations) {
        const isForm = operation.requestBody?.content['application/x-www-form-urlencoded'] !== undefined
        const due = ['400', '429', '500', '503']
        if (operation.security.length > 0) due.push('401')
        if (operation.security.some(({ client }) => client)) due.push('403')
        if (!isForm) due.push('404')
        if (method !== 'get') due.push('413')
        if (method !== 'get' && !isForm) due.push('415')
        const told = Object.keys(operation.responses)
        expect
          .soft(
            due.filter((status) => !told.includes(status)),
            `${method} ${path}`,
          )
          .toEqual([])
        expect
          .soft(
            told.filter((status) => status < '300'),
            `${method} ${path}`,
          )
          .toHaveLength(1)
        expect.soft(operation.summary, `${method} ${path}`).toMatch(/^[A-Z].*[^.]$/)
      }
    })

    test.each<[string, { query?: string; body?: string; type?: string; isUnsigned?: true }, number]>([
      ['a query parameter that it does not know', { query: '?nope=1' }, 400],
      ['a body that is no JSON', { body: '{' }, 400],
      ['a body that it does not take', { body: '[1]' }, 400],
      ['a body of another type', { body: 'x', type: 'text/plain' }, 415],
      ['no token', { isUnsigned: true }, 401],
    ])('what it answers to %s is an answer that an operation describes', async (_what, wrong, status) => {
      const answers: number[] = []
      for (const { path, method, operation } of operations) {
        if (wrong.body !== undefined && method === 'get') continue
        const url = `${server.baseUrl()}${path.replaceAll(/\{\w+\}/g, noSuchId)}${wrong.query ?? ''}`
        const answer = await fetch(url, {
          method: method.toUpperCase(),
          headers: {
            'content-type': wrong.type ?? 'application/json',
            ...(wrong.isUnsigned ? {} : { authorization: `Bearer ${server.tokens.acme}` }),
          },
          ...(wrong.body === undefined ? {} : { body: wrong.body }),
        })
        await answer.arrayBuffer()
        expect.soft(Object.keys(operation.responses), `${method} ${path}`).toContain(String(answer.status))
        const { headers } = resolved(document, operation.responses[answer.status]) as { headers: Json }
        const untold = telling.filter((name) => answer.headers.has(name) && !headers[name])
        expect.soft(untold, `${method} ${path}`).toEqual([])
        expect.soft(answer.headers.has('WWW-Authenticate'), `${method} ${path}`).toBe(answer.status === 401)
        answers.push(answer.status)
      }
      expect(answers.filter((one) => one === status).length).toBeGreaterThan(answers.length / 2)
    })

    test.each<[string, string, object, number, string]>([
      [
        'activations.jwt',
        'no token of a user',
        { useInteractiveUser: true, fingerprint: 'f' },
        401,
        'auth.unauthenticated',
      ],
      [
        'activations.license',
        'no token of a user',
        { useInteractiveUser: true, fingerprint: 'f' },
        401,
        'auth.unauthenticated',
      ],
      ['admin.catalog.import', 'a key twice', twice, 400, 'catalog.duplicate_key'],
      ['admin.catalog.apply', 'a key twice', { snapshot: twice, expected: {} }, 400, 'catalog.duplicate_key'],
    ])('what %s answers to %s is among the codes of that status', async (name, _what, body, status, codeName) => {
      const { path, operation } = operations.find(({ operation }) => operation.operationId === name)!
      const token = operation.security.length === 0 ? null : server.tokens.acme
      const refused = await server.api('POST', path, { body, token })
      expect([refused.status, refused.body.codeName]).toEqual([status, codeName])
      const telling = Object.entries(operation.responses).filter(([, { description }]) =>
        description?.includes(codeName),
      )
      expect(telling.map(([told]) => told)).toEqual([String(status)])
    })

    test('path parameters are the ones in the path, and no header or query parameter is said twice', () => {
      for (const { path, method, operation } of operations) {
        const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
        expect.soft(inPath.toSorted(), `${method} ${path}`).toEqual(named.toSorted())
        const places = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
        expect.soft(new Set(places).size, `${method} ${path}`).toBe(places.length)
      }
    })

    test('every reference leads somewhere, and every schema is one', () => {
      const dangling = nodesIn(document)
        .map((node) => node.$ref)
        .filter((reference) => typeof reference === 'string' && at(document, reference) === undefined)
      expect(dangling).toEqual([])
      const ajv = new Ajv2020({ strict: false, logger: false })
      for (const schema of nodesIn(document).flatMap((node) => (isObject(node.schema) ? [node.schema] : [])))
        expect.soft(ajv.validateSchema(schema), JSON.stringify(schema).slice(0, 200)).toBe(true)
    })

    test('nothing of ours shows in it: no keyword that only our checker reads, no undefined', () => {
      const text = JSON.stringify(document)
      expect(text).not.toMatch(/"x-(?!scalar)[^"]+":/)
      expect(text).not.toContain('undefined')
    })

    test('the running server knows exactly its paths and methods', async () => {
      for (const [path, methods] of Object.entries(document.paths)) {
        const answer = await server.api('OPTIONS', path.replaceAll(/\{\w+\}/g, 'x'))
        const allowed = (answer.headers.get('allow') ?? '').split(', ')
        const told = Object.keys(methods).map((method) => method.toUpperCase())
        const implied = ['OPTIONS', ...(told.includes('GET') ? ['HEAD'] : [])]
        expect.soft([answer.status, allowed.toSorted()], path).toEqual([204, [...told, ...implied].toSorted()])
      }
    })

    test('every operation of the router is in it, and every other route is a known one', () => {
      const told = operations.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`)
      const routed = operationsOf(appRouter).map(
        ({ contract }) => `${contract.name} ${contract.method.toLowerCase()} ${contract.path}`,
      )
      expect(told.toSorted()).toEqual([...routed, 'auth.token post /auth/connect/token'].toSorted())
      const others = sourcesIn('server').flatMap((file) =>
        [
          ...readFileSync(join(root, file), 'utf8').matchAll(
            /\bapp\.(?:get|post|put|patch|delete)\(\s*['`]([^'`]+)['`]/g,
          ),
        ].map(([, path]) => path!.replace(/\$\{\w+\}|:\w+/g, '{}')),
      )
      expect(others.toSorted()).toEqual(besideTheReference)
    })

    test('a description of each list says which names filter and sortOrder accept', () => {
      const lists = operations.filter(({ operation }) => operation.parameters.some(({ name }) => name === 'filter'))
      expect(lists.length).toBeGreaterThan(5)
      for (const { path, operation } of lists)
        expect.soft(operation.description, path).toContain('`filter` and `sortOrder` accept')
    })

    test('a list is sorted by all that its description says, and not by what can be filtered alone', async () => {
      const lists = operations.filter(({ path, operation }) => {
        const isOpen = !path.includes('{') && operation.security.some(({ client }) => client)
        return isOpen && operation.parameters.some(({ name }) => name === 'sortOrder')
      })
      expect(lists.length).toBeGreaterThan(20)
      for (const { path, operation } of lists) {
        const [sorted, filtered] = ['`sortOrder` accept', '`filter` alone accepts'].map((words) => {
          const [, names = ''] =
            new RegExp(`${words}: ([^.]*(?:\\.\\w[^.]*)*)\\.`).exec(String(operation.description)) ?? []
          return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
        }) as [string[], string[]]
        expect
          .soft([(await server.api('GET', `${path}?sortOrder=${sorted}`)).status, sorted.length > 0], path)
          .toEqual([200, true])
        for (const name of filtered)
          expect.soft((await server.api('GET', `${path}?sortOrder=${name}`)).status, `${path} ${name}`).toBe(400)
      }
    })
  })
})

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every object in a document. */
function nodesIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  return isObject(value) ? [value, ...Object.values(value).flatMap(nodesIn)] : []
}

/** What is said there, or what it refers to. */
const resolved = (document: Json, said: unknown) =>
  (isObject(said) && typeof said.$ref === 'string' ? at(document, said.$ref) : said) as Json

/** What a local reference points at (RFC 6901). */
function at(document: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, segment) => (isObject(node) ? node[segment] : undefined), document)
}
