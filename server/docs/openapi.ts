import type { TSchema } from 'typebox'
import { compileCheck } from '../../catalog-schema/checker.ts'
import type { Contract } from '../kit/contract.ts'
import { tokenKindOf } from '../kit/scope-check.ts'
import { guide } from './guide.ts'
import {
  answerHeaders,
  headersOf,
  isKeyed,
  oauthRefusals,
  problemSchema,
  refusalComponents,
  refusalsOf,
  tokensOf,
} from './refusals.ts'

type Json = Record<string, unknown>

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
      description: guide,
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
      headers: answerHeaders,
      responses: refusalComponents,
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
      ...headerParametersOf(contract),
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

function headerParametersOf(contract: Contract): Json[] {
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

function bodyOf(contract: Contract): Json {
  const type = contract.bodyEncoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  // A POST without a body is one with an empty object.
  const required = contract.method !== 'POST' || compileCheck(contract.body!)({}).length > 0
  return { required, content: { [type]: { schema: published(contract.body) } } }
}

function answerOf(contract: Contract): Json {
  const done = { description: 'Done.', ...headersOf(...(isKeyed(contract) ? (['Idempotency-Replayed'] as const) : [])) }
  if (!contract.answer) return { '204': done }
  const { plain, csvLines } = contract
  const content = {
    'application/json': { schema: published(contract.answer) },
    ...(plain ? { [plain.type]: { schema: { type: 'string', description: `Its \`${plain.field}\` alone.` } } } : {}),
    ...(csvLines ? { 'text/csv': { schema: { type: 'string', description: csvText(csvLines) } } } : {}),
  }
  return { '200': { ...done, content } }
}

const csvText = (lists: readonly string[]) =>
  `With \`format=csv\`: ${lists.map((list) => `\`${list}\``).join(', then ')}, a line for each (RFC 4180), below a line with the fields' names.`

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
