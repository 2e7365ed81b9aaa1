import { type Static, Type } from 'typebox'
import { OneOf, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, NullInstant } from '../../kit/records/answers.ts'

const KeyRecord = Type.Object({
  id: Uuid({ description: 'The kid.' }),
  purpose: Type.String({ description: 'token or offline.' }),
  algorithm: Type.String({ description: 'ES256 or RS256.' }),
  createdAt: Instant('When it was made.'),
  retiredAt: NullInstant('From when on it signs nothing more; null while it signs.'),
  verifiesUntil: NullInstant('Until when it stands in the JWKS; null is without an end.'),
  publicKey: Type.Record(Type.String(), Type.Unknown(), { description: 'As it stands in the JWKS.' }),
})
export type KeyRecord = Static<typeof KeyRecord>

export const listKeys = contract({
  name: 'admin.keys.list',
  method: 'GET',
  path: `${provision}/admin/keys`,
  access: 'admin.keys:read',
  summary: 'List the signing keys, retired ones included',
  description: 'Oldest first unless a sortOrder says otherwise; only their public halves.',
  query: listQuery,
  answer: pageOf(KeyRecord),
  filterable: ['id', 'purpose', 'algorithm', 'createdAt', 'retiredAt', 'verifiesUntil'],
})

export const getKey = contract({
  name: 'admin.keys.get',
  method: 'GET',
  path: `${provision}/admin/keys/{id}`,
  access: 'admin.keys:read',
  summary: 'Read a signing key',
  description: 'Its public half only.',
  params: idParams,
  answer: KeyRecord,
  problems: ['license.record_not_found'],
})

export const rotateKey = contract({
  name: 'admin.keys.rotate',
  method: 'POST',
  path: `${provision}/admin/keys/rotate`,
  access: 'admin.keys:update',
  summary: 'Sign with a new key from now on',
  description:
    'A replaced token key goes on verifying, and stays in the JWKS, until the last token it signed has expired (that of a licence of up to a month to the hour above); a replaced offline key for ever, since offline licences are verified without asking.',
  body: Closed({ purpose: Type.Optional(OneOf(['token', 'offline'], { description: 'token unless told.' })) }),
  answer: KeyRecord,
  securityEvent: 'signing_key_rotated',
})
