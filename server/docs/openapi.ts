import type { TSchema } from 'typebox'
import { isUuid } from '../../catalog-schema/scalars.ts'
import { knownScopes } from '../access/scopes/known-scopes.ts'
import { listQuery } from '../kit/collection.ts'
import { type Contract, isKeyed } from '../kit/contract.ts'
import { tokenKindOf } from '../kit/scope-check.ts'
import { guide } from './guide.ts'
import {
  answerHeaders,
  headersOf,
  oauthErrorSchema,
  oauthRefusals,
  problemSchema,
  refusalComponents,
  refusalsOf,
  tokensOf,
} from './refusals.ts'
import { mapInner, nameSchemas, type Schema } from './schema-names.ts'

type Json = Record<string, unknown>

/** Stands for the base URL where the document is written once for all tenants. */
const anyBase = 'base-url.invalid'

/** Writes, once, what the contracts say of the whole REST surface, and answers the OpenAPI 3.1 document (JSON) of it under a tenant's base URL. */
export function openApiOf(contracts: readonly Contract[], version: string): (baseUrl: string) => string {
  const parts = JSON.stringify(documentOf(contracts, version)).split(anyBase)
  return (baseUrl) => parts.join(JSON.stringify(baseUrl).slice(1, -1))
}

function documentOf(contracts: readonly Contract[], version: string): Json {
  const paths: Record<string, Json> = {}
  const described = contracts.map((contract) => ({
    contract,
    body: contract.body && published(contract.body),
    answer: contract.answer && published(contract.answer),
  }))
  const { refer, components } = nameSchemas(described)
  for (const { contract, body, answer } of described) {
    paths[contract.path] ??= {}
    paths[contract.path]![contract.method.toLowerCase()] = operationOf(
      contract,
      body && refer(body),
      answer && refer(answer),
    )
  }
  const sorted = Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)))
  const tags = [...new Set(contracts.map(tagOf))].sort().map((name) => ({ name }))
  const scopes = scopesOf(contracts)
  const shared = {
    parameters: sharedParameters(),
    headers: answerHeaders,
    responses: refusalComponents,
    schemas: { ...components, OAuthError: oauthErrorSchema, Problem: problemSchema },
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'licet',
      version,
      description: guide,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: anyBase }],
    tags,
    paths: sorted,
    components: {
      securitySchemes: {
        session: bearerToken('The license token of the session, from its activation or last renewal.'),
        user: bearerToken("A signed-in end user's token."),
        client: {
          type: 'oauth2',
          description: 'An access token of a client, or the callback token of a webhook delivery.',
          flows: { clientCredentials: { tokenUrl: `${anyBase}/auth/connect/token`, scopes } },
        },
      },
      ...shared,
    },
  }
}

const tagOf = ({ name }: Contract) => name.split('.').slice(0, -1).join('.')

/** The scopes that operations ask for, each with what it opens. */
function scopesOf(contracts: readonly Contract[]) {
  const asked = new Set(contracts.flatMap(tokensOf).filter((access) => tokenKindOf(access) === 'client'))
  const opened = new Map(knownScopes.map(({ scope, opens }) => [scope, opens]))
  return Object.fromEntries([...asked].sort().map((scope) => [scope, opened.get(scope)!]))
}

/** The token that an operation asks for: a client's with its scope, a session's or a user's. */
const securityOf = (contract: Contract): Json[] =>
  tokensOf(contract).map((access) => {
    const kind = tokenKindOf(access)!
    return { [kind]: kind === 'client' ? [access] : [] }
  })

const bearerToken = (description: string) => ({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description })

function operationOf(contract: Contract, body: Schema | undefined, answer: Schema | undefined): Json {
  const description = [contract.description, filterText(contract), slotText(contract)].filter(Boolean).join('\n\n')
  return {
    operationId: contract.name,
    tags: [tagOf(contract)],
    summary: contract.summary,
    ...(description ? { description } : {}),
    security: securityOf(contract),
    parameters: [
      ...parametersOf('path', contract.params),
      ...parametersOf('query', contract.query),
      ...headerParametersOf(contract),
    ],
    ...(body ? { requestBody: bodyOf(contract, body) } : {}),
    responses: {
      ...answerOf(contract, answer),
      ...(contract.bodyEncoding === 'form' ? oauthRefusals : refusalsOf(contract)),
    },
  }
}

const filterText = ({ filterable, notSortable = [] }: Contract) =>
  filterable
    ? [
        `\`filter\` and \`sortOrder\` accept: ${named(filterable.filter((name) => !notSortable.includes(name)))}.`,
        ...(notSortable.length > 0 ? [`\`filter\` alone accepts: ${named(notSortable)}.`] : []),
      ].join(' ')
    : undefined

const named = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

const slotText = ({ body, bodySlot }: Contract) => {
  const orWhole = (body as { type?: string } | undefined)?.type === 'array' ? '' : ', or the input itself'
  return bodySlot && `Over tRPC the body is the field \`${bodySlot}\` of the input${orWhole}.`
}

function parametersOf(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) =>
    property === ofLists[name]
      ? referTo(name)
      : parameterOf(name, place, place === 'path' || required.includes(name), published(property)),
  )
}

const ofLists: Record<string, TSchema> = listQuery.properties

function parameterOf(name: string, place: 'path' | 'query' | 'header', required: boolean, schema: Schema): Json {
  const { description, ...rest } = schema
  return { name, in: place, required, ...(description ? { description } : {}), schema: rest }
}

/** Headers that a request may have. */
const requestHeaders = {
  'X-Correlation-Id': { type: 'string', maxLength: 200, description: 'Echoed; one is made when absent.' },
  'Idempotency-Key': {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description:
      'A retry with the same key answers what the first request answered, for 24 hours. One that was refused with 400 may be put right under the same key; 429 and a failure of the service leave it free.',
  },
  'If-Match': {
    type: 'string',
    description: 'The revision number the change is meant for; 412 when the record has moved on.',
  },
}

/** Parameters of many operations, described once. */
const sharedParameters = () => ({
  ...Object.fromEntries(
    Object.entries(ofLists).map(([name, schema]) => [name, parameterOf(name, 'query', false, published(schema))]),
  ),
  ...Object.fromEntries(
    Object.entries(requestHeaders).map(([name, schema]) => [name, parameterOf(name, 'header', false, schema)]),
  ),
})

const referTo = (parameter: string) => ({ $ref: `#/components/parameters/${parameter}` })

function headerParametersOf(contract: Contract): Json[] {
  const names: (keyof typeof requestHeaders)[] = ['X-Correlation-Id']
  if (isKeyed(contract)) names.push('Idempotency-Key')
  if (contract.problems?.includes('request.precondition_failed')) names.push('If-Match')
  return names.map(referTo)
}

function bodyOf(contract: Contract, schema: Schema): Json {
  const type = contract.bodyEncoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  // A POST without a body is one with an empty object. A check of that is not compiled here: all of them take half a second.
  const required = contract.method !== 'POST' || needsMore(contract.body!)
  return { required, content: { [type]: { schema } } }
}

/** Whether an empty object will not do. */
const needsMore = ({ type, required = [] }: { type?: unknown; required?: readonly string[] }) =>
  type !== 'object' || required.length > 0

function answerOf(contract: Contract, schema: Schema | undefined): Json {
  const done = { description: 'Done.', ...headersOf(...(isKeyed(contract) ? (['Idempotency-Replayed'] as const) : [])) }
  if (!schema) return { '204': done }
  const { plain, csvLines } = contract
  const content = {
    'application/json': { schema },
    ...(plain ? { [plain.type]: { schema: { type: 'string', description: `Its \`${plain.field}\` alone.` } } } : {}),
    ...(csvLines ? { 'text/csv': { schema: { type: 'string', description: csvText(csvLines) } } } : {}),
  }
  return { '200': { ...done, content } }
}

const csvText = (lists: readonly string[]) =>
  `With \`format=csv\`: ${lists.map((list) => `\`${list}\``).join(', then ')}, a line for each (RFC 4180), below a line with the fields' names.`

/** A schema as the world sees it: without the keywords that only our checker reads, whose formats have names there. */
function published(schema: object): Schema {
  const told = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keyword.startsWith('x-')))
  if ('x-duration' in schema) told.description = [told.description, durationText].filter(Boolean).join(' ')
  // That a field which may be null is null when absent says nothing, and makes generated clients demand it.
  if (told.default === null) delete told.default
  if ('x-instant' in schema) told.format = 'date-time'
  if (isUuid(schema)) told.format = 'uuid'
  return mapInner(told, published)
}

const durationText = 'An ISO 8601 duration such as P7D or PT1H; a .NET time span such as 7.00:00:00 is read, too.'
