import { Type } from 'typebox'
import { NullableText, Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { Email } from '../../access/users/email-address.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant } from '../../kit/records/answers.ts'
import { registrationFilterFields } from './store.ts'

const path = `${provision}/registrations`
const adminPath = `${provision}/admin/registrations`

/** Somebody who has registered and has not confirmed it yet. */
const RegistrationRecord = Closed({
  id: Uuid(),
  email: Type.String({ description: 'The address that is to be confirmed.' }),
  displayName: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'What people call them.' }),
  createdAt: Instant('When they registered.'),
  expiresAt: Instant('From when on it cannot be confirmed any more.'),
})

const Confirmed = Closed({
  userId: Uuid({ description: 'The user that they are now, or have been before.' }),
  email: Type.String({ description: 'The address, which is known to be theirs.' }),
  entitlementIds: Type.Array(Uuid(), {
    description: 'What was assigned to the user by this: of each offer with issueOnUserRegistration, and of the code.',
  }),
})

export const registrationContracts = {
  register: contract({
    name: 'registrations.register',
    method: 'POST',
    path,
    access: 'anyone',
    summary: 'Register oneself as a user',
    description:
      'The answer is the same for an address that is known already. A token goes to the address by e-mail, where the installation has a mail server, and is good for a day; on a sandbox tenant the answer carries it, too. With an activationCode admission decides whether the sign-up is let in. An address may be registered 5 times an hour, counted by each server process; a repeated request, and one that admission turns away, count for nothing.',
    body: Closed({
      email: Email('The address, which is to be confirmed.'),
      displayName: Type.Optional(NullableText(200, { description: 'What people call the user.' })),
      activationCode: Type.Optional(
        Type.Unsafe<string | null>({
          ...{ type: ['string', 'null'], minLength: 1, maxLength: 500, default: null },
          description: 'A code whose entitlement is to be assigned to the user.',
        }),
      ),
    }),
    answer: Closed({
      expiresAt: Instant('Until when the token is good.'),
      confirmationToken: Type.Optional(
        Type.String({ description: 'What confirms the registration; on sandbox tenants alone.' }),
      ),
    }),
    problems: ['license.sign_up_not_admitted', 'request.rate_limited'],
  }),
  confirm: contract({
    name: 'registrations.confirm',
    method: 'POST',
    path: `${path}/confirm`,
    access: 'anyone',
    summary: 'Confirm a registration',
    description:
      'The user is there from now on, with a verified address, and is assigned to an entitlement of every Active or Draft offer that has not ended and says issueOnUserRegistration (of each offer once) and to that of the activation code. A token confirms once; a wrong one and one that is over are answered alike.',
    body: Closed({ token: Text(200, { min: 1, description: 'The token that came by e-mail.' }) }),
    answer: Confirmed,
    problems: ['license.record_not_found'],
  }),
  list: contract({
    name: 'admin.registrations.list',
    method: 'GET',
    path: adminPath,
    access: 'admin.users:read',
    summary: 'List the registrations that wait to be confirmed',
    query: listQuery,
    answer: pageOf(RegistrationRecord),
    filterable: registrationFilterFields.map(({ name }) => name),
  }),
  confirmFor: contract({
    name: 'admin.registrations.confirm',
    method: 'POST',
    path: `${adminPath}/{id}/confirm`,
    access: 'admin.users:update',
    summary: 'Confirm a registration in place of the token',
    description: 'For an installation without a mail server: whoever calls vouches for the address.',
    params: idParams,
    answer: Confirmed,
    problems: ['license.record_not_found'],
  }),
}
