import type { RequestContext } from '../../kit/context.ts'
import { notEncoded } from '../../kit/rest/body.ts'
import { issueAccessToken } from '../access-tokens/issuance.ts'
import { shortLivedSeconds } from '../tokens/short-lived.ts'
import type { Credentials } from './basic-credentials.ts'
import { authenticateClient } from './client-authentication.ts'
import { FormRefused, readForm } from './form.ts'
import { getCredentials } from './presented-credentials.ts'
import { TokenRefused } from './refusal.ts'
import { grantScopes } from './requested-scope.ts'

/** A POST to the token endpoint, its body as it came. */
export interface TokenRequest {
  contentType: string | undefined
  /** Whether the body is said to be compressed or the like. */
  isEncoded: boolean
  /** Every Authorization header of the request. */
  authorization: readonly string[]
  /** The parsed query string; it must hold none of the parameters. */
  query: Readonly<Record<string, unknown>>
  rawBody: Uint8Array
  context: RequestContext
}

/** An answer as it is sent: `body` is JSON, whatever the status (RFC 6749 §5.1, §5.2). */
export interface TokenAnswer {
  status: number
  headers: Record<string, string>
  body: Record<string, string | number>
  /** Of a refusal, for the log: why, and which client the request says it is from. */
  refused?: { reason: string; client: string | undefined }
}

const always = { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' }

/** Answers a client credentials grant (RFC 6749 §4.4) with an access token, or says why not; throws only what is our own failure. */
export async function answerTokenRequest(request: TokenRequest): Promise<TokenAnswer> {
  let credentials: Credentials | undefined
  try {
    refuseQueryParameters(request.query)
    const form = getForm(request)
    credentials = getCredentials(request.authorization, form)
    return { status: 200, headers: always, body: await grant(request.context, form, credentials) }
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    return {
      status: error.status,
      headers: { ...always, ...error.headers },
      body: { error: error.code, error_description: error.message },
      refused: { reason: error.code, client: nameForLog(credentials?.clientId) },
    }
  }
}

/** A client id has the form of one; whatever else stands in its place may be a secret. */
const nameForLog = (clientId: string | undefined) =>
  clientId !== undefined && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(clientId) ? clientId : undefined

async function grant(context: RequestContext, form: ReadonlyMap<string, string>, credentials: Credentials) {
  const { client, kid } = await authenticateClient(context, credentials)
  requireGrantType(form.get('grant_type'))
  const scopes = grantScopes(form.get('scope'), client.scopes)
  return {
    access_token: await issueAccessToken(context, kid, { clientId: client.id, scopes }),
    token_type: 'Bearer',
    expires_in: shortLivedSeconds,
    ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
  }
}

/** Query strings end up in logs. */
function refuseQueryParameters(query: TokenRequest['query']) {
  if (['client_id', 'client_secret', 'grant_type', 'scope'].some((name) => Object.hasOwn(query, name)))
    throw new TokenRefused('invalid_request', 'Parameters belong in the body, not in the query string.')
}

function getForm({ contentType, isEncoded, rawBody }: TokenRequest): Map<string, string> {
  if (isEncoded) throw new TokenRefused('invalid_request', notEncoded)
  const mediaType = (contentType ?? '').replace(/;.*$/s, '').trim().toLowerCase()
  if (mediaType !== 'application/x-www-form-urlencoded')
    throw new TokenRefused('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  try {
    return readForm(rawBody)
  } catch (error) {
    if (error instanceof FormRefused)
      throw new TokenRefused('invalid_request', `The request is malformed: ${error.message}.`)
    throw error
  }
}

function requireGrantType(grantType: string | undefined) {
  if (grantType === undefined) throw new TokenRefused('invalid_request', 'grant_type is missing.')
  if (grantType !== 'client_credentials')
    throw new TokenRefused('unsupported_grant_type', 'The only grant type is client_credentials.')
}
