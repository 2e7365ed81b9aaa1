import { type Static, Type } from 'typebox'
import { Code, NullableDuration, Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { collectionContracts, idParams } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, NullInstant } from '../../kit/records/answers.ts'

const ClientName = () => Code({ description: 'What the client is for, in words.' })
const Scopes = () =>
  Type.Array(Text(100, { min: 1 }), {
    maxItems: 200,
    description: 'What the client may ask for: names as GET /api/v1/scopes lists them; they replace the stored ones.',
  })

const NullableScopes = () => Type.Unsafe<string[] | null>({ ...Scopes(), type: ['array', 'null'] })

const clientFields = {
  id: Uuid({ description: 'The client_id at the token endpoint.' }),
  clientId: Uuid({ description: 'The same as id, by the name that the command line gives it.' }),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  previousSecretValidUntil: NullInstant(
    'Until when the secret before the present one is good; null when there is none.',
  ),
  createdAt: Instant('When it was created.'),
  updatedAt: Instant('When it was last changed.'),
  revisionNumber: Type.Integer(),
}

const ClientRecord = Type.Object(clientFields)
export type ClientRecord = Static<typeof ClientRecord>

const ClientWithSecret = Type.Object({
  ...clientFields,
  clientSecret: Type.String({ description: 'Shown this once.' }),
})

const heldScopes =
  'A caller can grant only what its own token holds, and can take over no client that may do more than itself.'

const { create, ...contracts } = collectionContracts({
  name: 'admin.clients',
  noun: 'API client',
  plural: 'API clients',
  path: 'admin/clients',
  scope: 'clients',
  record: ClientRecord,
  create: Closed({ name: ClientName(), scopes: Scopes() }),
  update: Closed({
    name: Type.Optional(Type.Unsafe<string | null>({ ...ClientName(), type: ['string', 'null'] })),
    scopes: Type.Optional(NullableScopes()),
  }),
  replace: Closed({ name: ClientName(), scopes: Type.Optional(NullableScopes()) }),
  filterable: ['id', 'clientId', 'name', 'previousSecretValidUntil', 'createdAt', 'updatedAt', 'revisionNumber'],
})

export const clientContracts = {
  ...contracts,
  create: contract({
    ...create,
    description: `The answer holds the client's secret, which is shown this once. ${heldScopes}`,
    answer: ClientWithSecret,
    problems: ['auth.insufficient_scope'],
  }),
  rotateSecret: contract({
    name: 'admin.clients.rotateSecret',
    method: 'POST',
    path: `${provision}/admin/clients/{id}/rotate-secret`,
    access: 'admin.clients:update',
    summary: 'Give an API client a new secret',
    description: `The previous secret goes on being good for \`overlap\`: a day unless told, at most 31; PT0S ends it at once. ${heldScopes}`,
    params: idParams,
    body: Closed({ overlap: Type.Optional(NullableDuration()) }),
    answer: ClientWithSecret,
    problems: ['license.record_not_found', 'auth.insufficient_scope', 'request.precondition_failed'],
    securityEvent: 'client_secret_rotated',
  }),
}
