import { Type } from 'typebox'
import { contract } from '../../kit/contract.ts'

/** The token endpoint for the reference; it is no procedure, since its errors are OAuth's own (RFC 6749 §5.2). */
export const tokenContract = contract({
  name: 'auth.token',
  method: 'POST',
  path: '/auth/connect/token',
  access: 'anyone',
  summary: 'Get an access token',
  description:
    'The client credentials grant (RFC 6749 §4.4). The client id and secret are sent by HTTP Basic, each half form-encoded, or in the form; not both. The token has the scopes that are asked for and registered, pattern by pattern; without `scope` it has none.',
  body: Type.Object(
    {
      grant_type: Type.Literal('client_credentials'),
      client_id: Type.Optional(Type.String()),
      client_secret: Type.Optional(Type.String()),
      scope: Type.Optional(Type.String({ description: 'Scopes, separated by blanks; see /api/v1/scopes.' })),
    },
    { additionalProperties: true },
  ),
  bodyEncoding: 'form',
  answer: Type.Object({
    access_token: Type.String({ description: 'A JWT (RFC 9068), for `Authorization: Bearer`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Type.Optional(Type.String({ description: 'The scopes granted.' })),
  }),
})
