import { type Access, type Contract, isKeyed } from '../kit/contract.ts'
import { tokenKindOf } from '../kit/scope-check.ts'
import { type ProblemName, problems } from '../vocabulary/problems.ts'

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

/** The tokens of which an operation asks for one. */
export const tokensOf = ({ access, eitherToken }: Contract): readonly Access[] =>
  eitherToken ?? (access === 'anyone' ? [] : [access])

/** The headers of answers, described once; of which `headersOf` says who has them. */
export const answerHeaders = {
  'X-Correlation-Id': header('The one that was sent, or one that was made: the log has it, too.'),
  'Idempotency-Replayed': header(
    '`true` when this was answered before under the same Idempotency-Key: nothing happened anew.',
  ),
  'Retry-After': header('Seconds to wait before trying again.', 'integer'),
  'WWW-Authenticate': header('The token that is asked for, and what is wrong with the one that came (RFC 6750 §3).'),
  Allow: header('With a 405, which every path answers to a method that it does not have: those that it has.'),
}
type AnswerHeader = keyof typeof answerHeaders

function header(description: string, type = 'string') {
  return { description, schema: { type } }
}

/** References to these headers, and to the one that every answer has. */
export const headersOf = (...names: AnswerHeader[]) => ({
  headers: Object.fromEntries(
    ['X-Correlation-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
})

/** The headers that a refusal with this status may have. */
function headersAt(status: number) {
  const names: AnswerHeader[] = []
  if ([400, 401, 403, 404, 409, 412].includes(status)) names.push('Idempotency-Replayed')
  if (status === 429 || status === 503) names.push('Retry-After')
  if (status === 401 || status === 403) names.push('WWW-Authenticate')
  return headersOf(...names)
}

const oauthRefusal = (description: string, ...headers: AnswerHeader[]) => ({
  description,
  ...headersOf(...headers),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
})

export const oauthErrorSchema = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
}

/** What the token endpoint answers instead of a problem (RFC 6749 §5.2). */
export const oauthRefusals = {
  '400': oauthRefusal('`invalid_request`, `unsupported_grant_type` or `invalid_scope`.'),
  '401': oauthRefusal('`invalid_client`: the client id or secret is wrong.', 'WWW-Authenticate'),
  '413': oauthRefusal('`invalid_request`: the form is too large.'),
  '429': oauthRefusal(
    '`temporarily_unavailable`: too many failures; Retry-After says when to try again.',
    'Retry-After',
  ),
  '500': oauthRefusal('`server_error`: something went wrong in the service.'),
  '503': oauthRefusal('`server_error`: the service is not available; try again later.', 'Retry-After'),
}

/** Every refusal of the operation by status; the code names are in the description. */
export function refusalsOf(contract: Contract): Json {
  const names = new Set<ProblemName>([...common, ...(contract.problems ?? [])])
  const kinds = tokensOf(contract).map(tokenKindOf)
  if (kinds.length > 0) names.add('auth.unauthenticated')
  if (kinds.includes('client')) names.add('auth.insufficient_scope')
  if (contract.params) names.add('license.record_not_found')
  // A path that is not percent-encoded UTF-8.
  if (contract.params) names.add('request.malformed')
  // A session's token is for that session alone.
  if (kinds.includes('session') && contract.params?.properties?.sessionId) names.add('auth.insufficient_scope')
  if (contract.method !== 'GET') for (const name of ofBodies) names.add(name)
  if (isKeyed(contract)) names.add('request.idempotency_conflict')
  const byStatus = new Map<number, ProblemName[]>()
  for (const name of names) {
    const status = contract.answered400?.includes(name) ? 400 : problems[name][1]
    byStatus.set(status, [...(byStatus.get(status) ?? []), name])
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [
        String(status),
        usual.some((names) => names.join() === list.join())
          ? { $ref: `#/components/responses/${componentName(list)}` }
          : refusalOf(status, list),
      ]),
  )
}

const refusalOf = (status: number, names: readonly ProblemName[]) => ({
  description: names.map((name) => `\`${name}\` (${problems[name][0]}): ${problems[name][3]}`).join('\n\n'),
  ...headersAt(status),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** What many operations have to say of one status: described once. */
const usual: readonly ProblemName[][] = [
  ['license.validation_error'],
  ['license.validation_error', 'request.malformed'],
  ['auth.unauthenticated'],
  ['auth.insufficient_scope'],
  ['request.route_not_found'],
  ['request.route_not_found', 'license.record_not_found'],
  ['request.idempotency_conflict'],
  ['request.precondition_failed'],
  ['request.too_large'],
  ['request.unsupported_media_type'],
  ['request.rate_limited'],
  ['server.internal'],
  ['server.unavailable'],
]

/** Named after the last of the codes: RequestMalformed where request.malformed is. */
const componentName = (names: readonly ProblemName[]) =>
  names.at(-1)!.replaceAll(/(?:^|[._])(\w)/g, (_all, first: string) => first.toUpperCase())

export const refusalComponents = Object.fromEntries(
  usual.map((names) => [componentName(names), refusalOf(problems[names[0]!][1], names)]),
)

const nullable = (type: string) => ({ type: [type, 'null'] })
export const problemSchema = {
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
    reason: {
      type: 'string',
      description:
        'With offline.activation_refused: the codeName of what refused the activation, such as `license.seats_exhausted`.',
    },
    moved: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'changedAt', 'changedBy'],
        properties: {
          key: { type: 'string', description: 'The item, such as `product:CAD`.' },
          changedAt: { ...nullable('string'), format: 'date-time', description: 'When; null where it is not known.' },
          changedBy: { ...nullable('string'), description: 'By whom; null where it is not known.' },
        },
      },
      description: 'With catalog.environment_changed of an apply: the keys that are not as they were expected to be.',
    },
  },
}
