import type { ChosenEnvironment } from '../environments/choosing.ts'
import { holdSecrets } from '../held-secrets.ts'
import { Problem } from '../problems.ts'
import { hearClock } from '../tenant-clock.ts'
import { isJson, jsonOf } from './answer-body.ts'
import { exchange } from './exchange.ts'
import { refusal } from './refusals.ts'

export interface AccessToken {
  token: string
  /** What was granted: the scopes asked for, capped to those of the client. */
  scopes: string[]
  /** The tenant that issued it, when the token says so. */
  tenantId: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * A token for the environment's client with at most these scopes (RFC 6749 §4.4; the halves of HTTP Basic form-encoded,
 * §2.3.1). Raises cli.credentials when client or secret are refused, cli.wrong_tenant when another tenant than the
 * environment expects has answered.
 */
export async function fetchAccessToken(
  environment: ChosenEnvironment,
  scopes: readonly string[],
  headers: Record<string, string>,
  { timeoutMs = 30_000 }: { timeoutMs?: number } = {},
): Promise<AccessToken> {
  const { clientId, clientSecret } = environment
  const url = new URL(`${environment.url}/auth/connect/token`)
  const basic = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')
  holdSecrets(clientSecret, formEncoded(clientSecret), basic)
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  })
  const answer = await exchange({
    method: 'POST',
    url,
    headers: {
      ...headers,
      authorization: `Basic ${basic}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: body.toString(),
    timeoutMs,
    maxBytes: 1024 * 1024,
  })
  const value = isJson(answer) || answer.status < 400 ? jsonOf(answer, url.host) : null
  const { error, access_token: token, scope, expires_in: seconds } = (value ?? {}) as Record<string, unknown>
  if (error === 'invalid_client' || answer.status === 401) throw wrongCredentials(environment)
  if (error === 'invalid_scope') {
    throw new Problem('cli.credentials', `Client ${clientId} has none of the scopes asked for: ${scopes.join(' ')}.`, {
      hint: 'use a client that is registered with them (licet client create --scope …)',
      status: answer.status,
    })
  }
  if (answer.status >= 400) throw refusal(answer, url.host)
  if (typeof token !== 'string' || token === '') {
    throw new Problem('cli.unreadable_answer', `${url.host} answered a token request without a token.`, {
      hint: 'is this a licet server?',
    })
  }
  holdSecrets(token, token.split('.').at(-1) ?? '')
  const { tenantId, issuedAt } = claimsOf(token)
  if (issuedAt !== null) hearClock(issuedAt)
  if (environment.tenantId && environment.tenantId !== tenantId) throw wrongTenant(environment, tenantId)
  return {
    token,
    scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [...scopes],
    tenantId,
    expiresAt: Date.now() + (typeof seconds === 'number' ? seconds : 300) * 1000,
  }
}

function wrongCredentials({ name, url, clientId }: ChosenEnvironment): Problem {
  const place = name === null ? url : `environment "${name}" (${url})`
  return new Problem('cli.credentials', `The server does not accept client ${clientId} with this secret at ${place}.`, {
    hint: 'is it the client of this tenant, and the secret the latest? "licet client rotate-secret" makes a new one',
    status: 401,
  })
}

function wrongTenant({ name, url, tenantId: expected }: ChosenEnvironment, actual: string | null): Problem {
  const message = `Environment "${name ?? url}" expects tenant ${expected}, but ${actual ?? 'an unnamed one'} answers at ${url}. Nothing was changed.`
  return new Problem('cli.wrong_tenant', message, {
    hint: 'check the URL, then the tenantId of the environment (licet env list)',
  })
}

/** The tenant that a token names and when it was issued by its clock, read without verifying: it came from the issuer itself. */
function claimsOf(token: string): { tenantId: string | null; issuedAt: number | null } {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const tenant = claims?.tid ?? claims?.tenant_id
    return {
      tenantId: typeof tenant === 'string' ? tenant : null,
      issuedAt: typeof claims?.iat === 'number' ? claims.iat * 1000 : null,
    }
  } catch {
    return { tenantId: null, issuedAt: null }
  }
}

/** application/x-www-form-urlencoded, as RFC 6749 appendix B has it. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
