import { type Credentials, readBasicCredentials } from './basic-credentials.ts'
import { TokenRefused } from './refusal.ts'

const challenge = { 'www-authenticate': 'Basic realm="licet"' }

/** A client that did not prove who it is; one and the same answer whatever was wrong with what it sent. */
export const refuseClient = () => new TokenRefused('invalid_client', 'The client id or secret is wrong.', challenge)

/** The client id and secret of a token request: in a Basic header or in the form, never in both (RFC 6749 §2.3). Throws TokenRefused. */
export function getCredentials(authorization: readonly string[], form: ReadonlyMap<string, string>): Credentials {
  const [header, second] = authorization
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')]
  if (second !== undefined)
    throw new TokenRefused('invalid_request', 'The request has more than one Authorization header.')
  if (header !== undefined) {
    if (clientSecret !== undefined)
      throw new TokenRefused('invalid_request', 'Send the client secret in the header or in the body, not in both.')
    const credentials = readBasicCredentials(header)
    if (!credentials) throw refuseClient()
    if (clientId !== undefined && clientId !== credentials.clientId)
      throw new TokenRefused('invalid_request', 'The header and the body name different clients.')
    return credentials
  }
  if (clientId === undefined || clientSecret === undefined)
    throw new TokenRefused(
      'invalid_client',
      'Send the client id and secret in a Basic Authorization header or in the form.',
      challenge,
    )
  return { clientId, clientSecret }
}
