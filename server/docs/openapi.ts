import type { TSchema } from 'typebox'
import { compileCheck } from '../../catalog-schema/checker.ts'
import type { Access, Contract } from '../kit/contract.ts'
import { tokenKindOf } from '../kit/scope-check.ts'
import type { ProblemName } from '../vocabulary/problems.ts'
import { problems } from '../vocabulary/problems.ts'

type Json = Record<string, unknown>

/** Refusals that any operation can answer with: query parameters and headers that are not acceptable and a body where none is taken among them, and a tenant that is gone. */
const common: ProblemName[] = [
  'license.validation_error',
  'request.route_not_found',
  'request.rate_limited',
  'server.internal',
  'server.unavailable',
]

/** Refusals of a body, which any request but a GET may bring: unread where none is taken. */
const ofBodies: ProblemName[] = ['request.malformed', 'request.unsupported_media_type', 'request.too_large']

/** The OpenAPI 3.1 document of a tenant's whole REST surface, made from the contracts. */
export function openApiOf(contracts: readonly Contract[], baseUrl: string, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const contract of contracts) {
    paths[contract.path] ??= {}
    paths[contract.path]![contract.method.toLowerCase()] = operationOf(contract)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'licet',
      version,
      description: 'Licensing, entitlements and usage metering that a software vendor runs itself.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(contracts.map(tagOf))].sort().map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: {
        session: bearerToken('The license token of the session, from its activation or last renewal.'),
        user: bearerToken("A signed-in end user's token."),
        client: {
          type: 'oauth2',
          description: 'An access token of a client, or the callback token of a webhook delivery.',
          flows: { clientCredentials: { tokenUrl: `${baseUrl}/auth/connect/token`, scopes: scopesOf(contracts) } },
        },
      },
      schemas: { Problem: problemSchema },
    },
  }
}

const tagOf = ({ name }: Contract) => name.split('.').slice(0, -1).join('.')

const scopesOf = (contracts: readonly Contract[]) =>
  Object.fromEntries(
    [...new Set(contracts.flatMap(tokensOf).filter((access) => tokenKindOf(access) === 'client'))]
      .sort()
      .map((scope) => [scope, '']),
  )

/** The tokens of which an operation asks for one. */
const tokensOf = ({ access, eitherToken }: Contract): readonly Access[] =>
  eitherToken ?? (access === 'anyone' ? [] : [access])

/** The token that an operation asks for: a client's with its scope, a session's or a user's. */
const securityOf = (contract: Contract): Json[] =>
  tokensOf(contract).map((access) => {
    const kind = tokenKindOf(access)!
    return { [kind]: kind === 'client' ? [access] : [] }
  })

const bearerToken = (description: string) => ({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description })

function operationOf(contract: Contract): Json {
  const description = [contract.description, filterText(contract)].filter(Boolean).join('\n\n')
  return {
    operationId: contract.name,
    tags: [tagOf(contract)],
    summary: contract.summary,
    ...(description ? { description } : {}),
    security: securityOf(contract),
    parameters: [
      ...parametersOf('path', contract.params),
      ...parametersOf('query', contract.query),
      ...headersOf(contract),
    ],
    ...(contract.body ? { requestBody: bodyOf(contract) } : {}),
    responses: { ...answerOf(contract), ...(contract.bodyEncoding === 'form' ? oauthRefusals : refusalsOf(contract)) },
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

function parametersOf(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = published(property) as Json
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    }
  })
}

function headersOf(contract: Contract): Json[] {
  const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  })
  const headers = [header('X-Correlation-Id', 'Echoed; one is made when absent.', { type: 'string', maxLength: 128 })]
  if (isKeyed(contract))
    headers.push(
      header(
        'Idempotency-Key',
        'A retry with the same key answers what the first request answered, for 24 hours. A request that is refused with 400 or 429 leaves its key free, as does a failure of the service.',
        { type: 'string', minLength: 1, maxLength: 200 },
      ),
    )
  if (contract.problems?.includes('request.precondition_failed'))
    headers.push(header('If-Match', 'The revision number the change is meant for; 412 when the record has moved on.'))
  return headers
}

/** Whether an Idempotency-Key is honoured: wherever something is changed, but for the token endpoint, which OAuth describes. */
const isKeyed = ({ method, bodyEncoding, changesNothing }: Contract) =>
  method !== 'GET' && bodyEncoding !== 'form' && !changesNothing

function bodyOf(contract: Contract): Json {
  const type = contract.bodyEncoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  // A POST without a body is one with an empty object.
  const required = contract.method !== 'POST' || compileCheck(contract.body!)({}).length > 0
  return { required, content: { [type]: { schema: published(contract.body) } } }
}

function answerOf(contract: Contract): Json {
  if (!contract.answer) return { '204': { description: 'Done.' } }
  const { plain, csvLines } = contract
  const content = {
    'application/json': { schema: published(contract.answer) },
    ...(plain ? { [plain.type]: { schema: { type: 'string', description: `Its \`${plain.field}\` alone.` } } } : {}),
    ...(csvLines ? { 'text/csv': { schema: { type: 'string', description: csvText(csvLines) } } } : {}),
  }
  return { '200': { description: 'Done.', content } }
}

const csvText = (lists: readonly string[]) =>
  `With \`format=csv\`: ${lists.map((list) => `\`${list}\``).join(', then ')}, a line for each (RFC 4180), below a line with the fields' names.`

const oauthRefusal = (description: string) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'string' }, error_description: { type: 'string' } },
      },
    },
  },
})

/** What the token endpoint answers instead of a problem (RFC 6749 §5.2). */
const oauthRefusals = {
  '400': oauthRefusal('`invalid_request`, `unsupported_grant_type` or `invalid_scope`.'),
  '401': oauthRefusal('`invalid_client`: the client id or secret is wrong.'),
  '413': oauthRefusal('`invalid_request`: the form is too large.'),
  '429': oauthRefusal('`temporarily_unavailable`: too many failures; Retry-After says when to try again.'),
  '500': oauthRefusal('`server_error`: something went wrong in the service.'),
  '503': oauthRefusal('`server_error`: the service is not available; try again later.'),
}

/** Every refusal of the operation by status; the code names are in the description. */
function refusalsOf(contract: Contract): Json {
  const names = new Set<ProblemName>([...common, ...(contract.problems ?? [])])
  const kinds = tokensOf(contract).map(tokenKindOf)
  if (kinds.length > 0) names.add('auth.unauthenticated')
  if (kinds.includes('client')) names.add('auth.insufficient_scope')
  if (contract.params) names.add('license.record_not_found')
  if (contract.method !== 'GET') for (const name of ofBodies) names.add(name)
  if (isKeyed(contract)) names.add('request.idempotency_conflict')
  const byStatus = new Map<number, ProblemName[]>()
  for (const name of names) byStatus.set(problems[name][1], [...(byStatus.get(problems[name][1]) ?? []), name])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [
        String(status),
        {
          description: list.map((name) => `\`${name}\` (${problems[name][0]}): ${problems[name][3]}`).join('\n\n'),
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
  )
}

/** A schema as the world sees it: without the keywords that only our checker reads. */
export function published(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(published)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !keyword.startsWith('x-'))
      .map(([keyword, value]) => [
        keyword,
        keyword === 'default' || keyword === 'examples' || keyword === 'enum' ? value : published(value),
      ]),
  )
}

const nullable = (type: string) => ({ type: [type, 'null'] })
const problemSchema = {
  type: 'object',
  description: 'Every failure (RFC 9457). Branch on code or codeName, never on detail.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'codeName'],
  properties: {
    type: nullable('string'),
    title: nullable('string'),
    status: nullable('integer'),
    detail: nullable('string'),
    instance: nullable('string'),
    code: { type: 'integer' },
    codeName: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: {
          pointer: { type: 'string' },
          message: { type: 'string' },
          key: {
            type: 'string',
            description: 'Of a catalog that cannot be imported: the item, such as `product:CAD`.',
          },
          path: { type: 'string', description: 'Beside `key`: the field of the item, as `pointer` says it, too.' },
          code: { type: 'integer', description: 'Beside `key`: the code of this error alone.' },
          codeName: { type: 'string', description: 'Beside `key`: the name of that code.' },
        },
      },
      description:
        'With license.validation_error: every field that is not acceptable. Of a catalog that cannot be imported: every error.',
    },
  },
}
