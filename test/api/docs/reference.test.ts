import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { compileCheck } from '../../../catalog-schema/checker.ts'
import { tokenContract } from '../../../server/access/token-endpoint/contract.ts'
import { openApiOf } from '../../../server/docs/openapi.ts'
import type { Contract } from '../../../server/kit/contract.ts'
import { parseFilter } from '../../../server/kit/filter/grammar.ts'
import { operationsOf } from '../../../server/kit/rest/operation.ts'
import { appRouter } from '../../../server/router.ts'

type Json = ReturnType<typeof JSON.parse>

const contracts: Contract[] = [...operationsOf(appRouter).map(({ contract }) => contract), tokenContract]
const document: Json = JSON.parse(openApiOf(contracts, '1.0.0')('https://licet.example.com/t/acme'))
const resolved = (said: Json): Json =>
  said.$ref
    ? said.$ref
        .slice(2)
        .split('/')
        .reduce((node: Json, name: string) => node[name], document)
    : said

const operations = Object.values<Json>(document.paths)
  .flatMap((methods) => Object.entries<Json>(methods))
  .map(([method, told]): [string, Json] => [method, { ...told, parameters: told.parameters.map(resolved) }])

test('a default is a value of its schema', () => {
  const ajv = new Ajv2020({ strict: false, logger: false, schemas: [{ ...document, $id: 'document' }] })
  const seen = new Set<string>()
  for (const { schema, pointer } of schemasWith(document, 'default')) {
    if (seen.has(JSON.stringify(schema))) continue
    seen.add(JSON.stringify(schema))
    const check = ajv.compile({ $ref: `document#${pointer}` })
    expect.soft(check(schema.default), `${pointer} ${JSON.stringify(schema.default)}`).toBe(true)
  }
  expect(seen.size).toBeGreaterThan(50)
})

test('If-Match is a parameter exactly where 412 is an answer: wherever a record is changed or deleted, or made to go on', () => {
  const honouring = operations.filter(([, { parameters }]) => parameters.some(({ name }: Json) => name === 'If-Match'))
  expect(honouring).toEqual(operations.filter(([, { responses }]) => '412' in responses))
  const edits = operations.filter(([method]) => ['put', 'patch', 'delete'].includes(method))
  expect(edits.filter((edit) => !honouring.includes(edit))).toEqual([])
  expect(honouring.map(([, { operationId }]) => operationId)).toEqual(
    expect.arrayContaining(['admin.products.publish', 'admin.clients.rotateSecret', 'operational.entitlements.renew']),
  )
})

test('the body of a POST is required exactly where an empty object is refused', () => {
  const posts = contracts.filter(({ method, body }) => method === 'POST' && body)
  const required = operations.filter(([method, { requestBody }]) => method === 'post' && requestBody?.required)
  expect(required.map(([, { operationId }]) => operationId).toSorted()).toEqual(
    posts.flatMap(({ name, body }) => (compileCheck(body!)({}).length > 0 ? [name] : [])).toSorted(),
  )
  expect(required.length).toBeLessThan(posts.length)
})

test('every answer tells of its headers', () => {
  for (const operation of operations.map(([, operation]) => operation))
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      const { headers } = resolved(response)
      const isKeyed = operation.parameters.some(({ name }: Json) => name === 'Idempotency-Key')
      const due = ['X-Correlation-Id']
      if (isKeyed && /^2|409/.test(status)) due.push('Idempotency-Replayed')
      if (/429|503/.test(status)) due.push('Retry-After')
      if (status === '401') due.push('WWW-Authenticate')
      expect.soft(Object.keys(headers), `${operation.operationId} ${status}`).toEqual(expect.arrayContaining(due))
    }
  expect(document.components.headers).toHaveProperty('Allow')
})

test('the language of filters is described: every operator, and no more than it takes', () => {
  const { description } = document.info
  for (const operator of '== != > < >= <= @= _= _-= !@= !_= !_-= ==* !=* @=* _=* _-=* !@=* !_=* !_-=*'.split(' '))
    expect.soft(description).toContain(`\`${operator}\``)
  for (const [limit, kind] of Object.entries({ 50: 'terms', 100: 'values', 4096: 'bytes' }))
    expect.soft(description).toContain(`${limit} ${kind}`)
  const [, escaped = ''] = /stands before each of `([^`]+)`/.exec(description) ?? []
  const [term] = parseFilter(
    `A==${escaped
      .split(' ')
      .map((character) => `\\${character}`)
      .join('')}`,
  )
  expect(term!.values.map(({ text }) => text)).toEqual([escaped.replaceAll(' ', '')])
  const examples = [...description.matchAll(/`([(\w|)]+(?:[!@=]=)[^`]+)`/g)].map(([, example]) => example)
  expect(examples.length).toBeGreaterThan(4)
  for (const example of examples) expect(() => parseFilter(example)).not.toThrow()
  const filter = operations.flatMap(([, { parameters }]) => parameters).find(({ name }: Json) => name === 'filter')
  expect(filter.description).toContain('see Filters')
})

test('every object that is sent or answered has a name, and one name alone', () => {
  const schemas = document.components.schemas
  const wholes = operations.flatMap(([, { requestBody, responses }]) =>
    [requestBody, ...Object.values<Json>(responses)].flatMap((said) =>
      Object.values<Json>((said && resolved(said).content) ?? {}).map(({ schema }) => schema),
    ),
  )
  expect(wholes.length).toBeGreaterThan(400)
  expect(wholes.filter((schema) => schema.properties)).toEqual([])
  const named = Object.values(schemas).map((schema) => JSON.stringify(schema))
  expect(named.filter((text, index) => named.indexOf(text) !== index)).toEqual([])
  const inline = schemasWith(document, 'properties').filter(
    ({ pointer }) => !/^\/components\/schemas\/\w+$/.test(pointer),
  )
  const large = inline.map(({ schema }) => JSON.stringify(schema)).filter((text) => text.length > 200)
  expect(large.filter((text, index) => large.indexOf(text) !== index)).toEqual([])
  expect(JSON.stringify(document).length).toBeLessThan(1_000_000)
})

test('names of schemas say what they are', () => {
  const bodyOf = (name: string) => operations.find(([, { operationId }]) => operationId === name)![1]
  const answerOf = (name: string) => bodyOf(name).responses['200'].content['application/json'].schema
  for (const [record, place] of Object.entries({
    Product: 'products',
    PlanSet: 'planSets',
    Suite: 'suites',
    Feature: 'featureCatalog',
    Offer: 'offers',
    Entitlement: 'entitlements',
    Settings: 'settings',
    TrialPolicy: 'entitlements.policies.trial',
  }))
    expect(answerOf(`admin.${place}.get`)).toEqual({ $ref: `#/components/schemas/${record}` })
  expect(answerOf('admin.products.create')).toEqual(answerOf('admin.products.get'))
  expect(answerOf('admin.products.list')).toEqual({ $ref: '#/components/schemas/ProductPage' })
  expect(document.components.schemas.ProductPage.properties.items.items).toEqual({
    $ref: '#/components/schemas/Product',
  })
  expect(bodyOf('admin.products.create').requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/ProductCreateBody',
  })
})

test('tRPC is described, and where a body that is a whole goes is said at its operation', () => {
  expect(document.info.description).toMatch(/## tRPC.*at most 10 calls.*httpBatchStreamLink .* are served/s)
  for (const { name, bodySlot } of contracts.filter(({ bodySlot }) => bodySlot)) {
    const [, { description }] = operations.find(([, { operationId }]) => operationId === name)!
    expect.soft(description, name).toContain(`the field \`${bodySlot}\` of the input`)
  }
})

test('a duration is told to be one', () => {
  const { leaseTime } = document.components.schemas.LicensePolicy.properties
  expect(leaseTime.description).toContain('P7D')
  expect(leaseTime.description).toContain('7.00:00:00')
})

/** Every schema in a document that says this keyword, and where it stands. */
function schemasWith(value: Json, keyword: string, pointer = ''): { schema: Json; pointer: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, inner]) =>
    ['default', 'examples'].includes(name)
      ? []
      : schemasWith(
          inner,
          keyword,
          `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
        ),
  )
  return 'type' in value && keyword in value ? [{ schema: value, pointer }, ...inside] : inside
}
