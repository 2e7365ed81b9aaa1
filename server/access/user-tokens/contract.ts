import { Type } from 'typebox'
import { NullableOneOf } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { signInLevels } from './claims.ts'

export const issueUserTokenContract = contract({
  name: 'operational.users.issueToken',
  method: 'POST',
  path: `${provision}/operational/users/{id}/tokens`,
  access: 'operational.users:create',
  summary: 'Get a signed-in user a token',
  description:
    'For a backend that has signed its user in. The token is good for 15 minutes, and no longer than the user is there and not disabled.',
  params: idParams,
  body: Closed({
    level: Type.Optional(
      NullableOneOf(signInLevels, {
        description:
          'How well the sign-in proved who it is; without one, EmailVerified for a user whose address is verified, else SignedIn.',
      }),
    ),
  }),
  answer: Closed({
    access_token: Type.String({ description: 'For the Authorization header, as a bearer token.' }),
    token_type: Type.String({ description: 'Bearer.' }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  }),
  problems: ['license.record_not_found'],
})
