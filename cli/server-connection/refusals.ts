import { withoutSecrets } from '../held-secrets.ts'
import { isObject } from '../json-objects.ts'
import { Problem } from '../problems.ts'
import { isJson, jsonOf, mayBeDone, textOf } from './answer-body.ts'
import { lookFirst } from './asking.ts'
import type { Answer } from './exchange.ts'
import { licenseHint } from './license-hints.ts'

/** A server's refusal (status of 400 and above) as a problem: its own words where it has some, and what to try. */
export function refusal(answer: Answer, host: string): Problem {
  const { status } = answer
  const body = refusalBody(answer, host)
  const detail = text(body.detail) ?? text(body.title) ?? `${host} answered ${status} ${answer.statusText}`.trim()
  const [codeName, reason] = [text(body.codeName), text(body.reason)]
  const retryAfterSeconds = retryAfter(answer.headers.get('retry-after'))
  const correlationId = answer.headers.get('x-correlation-id')
  // What licet fails at has a name; who stands before it, such as a proxy, cannot tell what became of a request.
  const isOfOther = codeName === undefined && mayBeDone(answer)
  return new Problem(codeName ?? `http.${status}`, detail, {
    ...(typeof body.code === 'number' && { code: body.code }),
    hint: isOfOther
      ? `${lookFirst}; if it stays so, look at the server or proxy log`
      : (licenseHint(reason ?? codeName) ?? hintFor(status, codeName, retryAfterSeconds, correlationId)),
    reason,
    status,
    correlationId,
    retryAfterSeconds,
    errors: [body.errors, body.moved].find(Array.isArray),
  })
}

/** A problem, or a tRPC answer's `error`, which has the same fields. Answers without a body, web pages and other foreign bodies have none. */
function refusalBody(answer: Answer, host: string): Record<string, unknown> {
  if (!answer.hasBody) return {}
  if (!isJson(answer)) {
    const type = answer.headers.get('content-type') ?? 'no content type'
    const page = /html/i.test(type) ? 'a web page' : type
    return {
      detail:
        `${host} answered ${answer.status} with ${page}, not with a problem of licet. ${excerpt(textOf(answer))}`.trim(),
    }
  }
  const value = jsonOf(answer, host)
  const body = isObject(value) && isObject(value.error) ? value.error : value
  return isObject(body) ? body : {}
}

/** Refusals for the sake of something else, which they name. */
const standsInTheWay = ['catalog.in_use', 'catalog.duplicate_key', 'license.plan_change_open']

function hintFor(
  status: number,
  codeName: string | undefined,
  seconds: number | undefined,
  correlationId: string | undefined,
): string | undefined {
  if (codeName === 'request.route_not_found')
    return "check the path, and that the environment's URL is the tenant's base URL (…/t/SLUG)"
  if (status === 401) return 'licet env check'
  if (status === 403 && codeName === 'auth.insufficient_scope')
    return 'use a client that is registered with that scope (licet client create --scope …)'
  if (codeName === 'usage.metric_not_found')
    return 'a metric name is lowercase, and no feature code: licet usage show --entitlement ID lists those there are'
  if (codeName === 'request.idempotency_conflict')
    return 'the key names another request already: repeat that one as it was, or take another key'
  if (status === 404) return 'check the id and the environment: another tenant’s records look like none'
  if (status === 409 && codeName === 'catalog.environment_changed') return 'make the plan again and review it'
  if (codeName !== undefined && standsInTheWay.includes(codeName))
    return 'what it names stands in the way: look at it there, change one of the two, then try again'
  if (status === 412) return 'somebody changed it meanwhile: read it again, then repeat the change'
  if (status === 429) return `try again ${seconds === undefined ? 'later' : `in ${seconds} s`}`
  if (status === 503) return `try again ${seconds === undefined ? 'shortly' : `in ${seconds} s`}`
  if (status === 400 || status === 422) return 'correct what it names, then try again'
  if (status >= 500)
    return correlationId ? "look for the correlation id in the server's log" : "look into the server's log"
  return undefined
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

/** The beginning of a page, in words; from the first so many characters, for it may be of any length and form. */
function excerpt(body: string): string {
  const words = withoutSecrets(body)
    .slice(0, 4096)
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words === '' ? '' : `It says: ${words.slice(0, 160)}`
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
