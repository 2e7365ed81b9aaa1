import { Flag, NullableText } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { collectionContracts } from '../../kit/collection.ts'
import { recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { recordKind } from '../../kit/records/kind.ts'
import { Email } from './email-address.ts'

const userFields = {
  email: Email('The address of the user; no two users of the tenant have one, letter case aside.'),
  emailVerified: Flag({
    default: false,
    description: 'Whether the address is known to be theirs. A new address is not, unless the request says so.',
  }),
  displayName: NullableText(200, { description: 'What people call the user.' }),
  issuer: NullableText(500, { description: 'The trusted OpenID issuer that the user signs in at; with subject.' }),
  subject: NullableText(255, { description: 'What that issuer calls the user (`sub`).' }),
  externalReference: NullableText(300, { description: 'What another system of the vendor calls the user.' }),
  isDisabled: Flag({ default: false, description: 'A disabled user is signed in nowhere, from the next call on.' }),
  metadata: NullableText(65_536, { description: 'Whatever other systems keep with the user, as text.' }),
}

export const userKind = recordKind('users', userFields)

/** An end user as it is answered. */
const UserRecord = Closed({ ...recordId, ...userFields, ...recordTail }, { description: 'An end user.' })

export const userContracts = collectionContracts({
  name: 'admin.users',
  noun: 'user',
  plural: 'users',
  path: 'admin/users',
  scope: 'users',
  record: UserRecord,
  create: bodyOf(userFields, ['email']),
  update: bodyOf(userFields),
  replace: bodyOf(userFields, ['email']),
  filterable: userKind.filterFields.map(({ name }) => name),
})
