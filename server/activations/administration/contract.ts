import { Type } from 'typebox'
import { NullableText, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { codeTextName } from '../../entitlements/activation-codes/fields.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { SessionRecord } from '../sessions/wire.ts'
import { sessionFilterFields } from './fields.ts'

const path = `${provision}/admin/sessions/activations`

/** What sessions are filtered and sorted by, a user's own as those of the back office are. */
export const sessionNames = {
  filterable: [...sessionFilterFields.map(({ name }) => name), codeTextName],
  notSortable: [codeTextName],
}

export const listSessions = contract({
  name: 'admin.sessions.list',
  method: 'GET',
  path,
  access: 'admin.sessions:read',
  summary: 'List license sessions',
  description: 'Every session there ever was, oldest first; released and revoked ones are among them.',
  query: listQuery,
  answer: pageOf(SessionRecord),
  ...sessionNames,
})

export const getSession = contract({
  name: 'admin.sessions.get',
  method: 'GET',
  path: `${path}/{id}`,
  access: 'admin.sessions:read',
  summary: 'Read a license session',
  params: idParams,
  answer: SessionRecord,
  problems: ['license.record_not_found'],
})

export const listSessionsOfUser = contract({
  name: 'admin.sessions.listByUser',
  method: 'GET',
  path: `${path}/by-user/{userId}`,
  access: 'admin.sessions:read',
  summary: 'List the license sessions of a user',
  description:
    "Those that the user activated, signed in; one that another user has activated again since is that user's, and one that was activated by a code alone is nobody's, even where the code was issued to the user.",
  params: Closed({ userId: Uuid({ description: 'The id of the user.' }) }),
  query: listQuery,
  answer: pageOf(SessionRecord),
  ...sessionNames,
})

export const listActiveSessions = contract({
  name: 'operational.activations.listByEntitlement',
  method: 'GET',
  path: `${provision}/operational/entitlements/{id}/activations`,
  access: 'operational.entitlements:read',
  summary: 'List the active license sessions of an entitlement',
  description: 'The sessions that hold a seat of it now.',
  params: idParams,
  query: listQuery,
  answer: pageOf(SessionRecord),
  ...sessionNames,
  problems: ['license.record_not_found'],
})

const revocation = {
  method: 'POST',
  access: 'admin.sessions:update',
  summary: 'Revoke a license session',
  description:
    'The next call of the session is refused, its seat is free at once, and its license token is good for nothing but what the application decides without asking. With `blockDevice` the device, by every fingerprint that the session was activated with, can neither activate on this entitlement again nor go on with another session of it, until it is unblocked; where its componentMatchingStrategy is not MatchAll, nor can one that shows a new fingerprint and, of all devices that are blocked or have an open session within its code, is most like that one by its components. A session that is revoked already keeps its time and reason; its device can still be blocked.',
  params: idParams,
  body: Closed({
    reason: Type.Optional(NullableText(500, { description: 'Why, for those who read the record.' })),
    blockDevice: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'Whether its device is blocked too; false unless told.',
      }),
    ),
  }),
  answer: SessionRecord,
  problems: ['license.record_not_found'],
} as const

export const revokeSession = contract({ ...revocation, name: 'admin.sessions.revoke', path: `${path}/{id}/revoke` })

export const revokeSessionById = contract({
  ...revocation,
  name: 'admin.sessions.revokeById',
  path: `${provision}/admin/sessions/{id}/revoke`,
  summary: 'Revoke a license session (by a shorter path)',
})

export const releaseSession = contract({
  name: 'admin.sessions.release',
  method: 'POST',
  path: `${path}/{id}/release`,
  access: 'admin.sessions:update',
  summary: 'Free the seat of a license session',
  description:
    'What support does for a lost device: the seat is free at once, whatever allowRelease says, and the next call of the session is refused. A session that is released or revoked already is answered as it is.',
  params: idParams,
  answer: SessionRecord,
  problems: ['license.record_not_found'],
})

export const unblockDevice = contract({
  name: 'admin.sessions.unblockDevice',
  method: 'POST',
  path: `${path}/{id}/unblock-device`,
  access: 'admin.sessions:update',
  summary: "Let a session's blocked device activate again",
  description:
    'The session itself stays revoked; the device needs a new one. Its other sessions of the entitlement go on. Whatever was blocked together with one of its fingerprints is blocked no more. A device that is not blocked is left as it is.',
  params: idParams,
  answer: SessionRecord,
  problems: ['license.record_not_found'],
})
