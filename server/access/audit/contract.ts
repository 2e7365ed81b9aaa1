import { type Static, Type } from 'typebox'
import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant } from '../../kit/records/answers.ts'
import { auditFilterFields } from './store.ts'

const NullFields = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true, description })

/** An entry as it is answered. */
const AuditEntry = Closed(
  {
    id: Uuid(),
    occurredAt: Instant('When it was done.'),
    actor: Type.String({
      description:
        'Who did it, such as `client:ID` or `user:ID`; `operator` for what was done on the server itself, without a token.',
    }),
    operation: Type.String({ description: 'What was done, by the name of the operation.' }),
    recordKind: Type.String({ description: 'What it was done to, such as `entitlements`.' }),
    recordId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Which one; null where there is one only, or where many were changed.',
    }),
    correlationId: Type.String({ description: 'The request in which it was done, as its events and the log name it.' }),
    before: NullFields(
      'What a change replaced, each place by its JSON pointer (RFC 6901), or the whole record that was deleted; null of one that was made. Secrets, tokens and codes are left out, and what the query of a webhook URL says; where both are null, it was erased with a person.',
    ),
    after: NullFields(
      'What stands there since, in the same way, or the whole record that was made. What was asked and is no field of the record stands at `/asked/…`; of a record that is not read as a whole, such as a balance, what was answered stands beside that.',
    ),
  },
  { description: 'Who did what to which record.' },
)
export type AuditEntry = Static<typeof AuditEntry>

const path = `${provision}/admin/audit`

export const auditContracts = {
  list: contract({
    name: 'admin.audit.list',
    method: 'GET',
    path,
    access: 'admin.audit:read',
    summary: 'List who did what',
    description:
      'The latest first. What clients, users and the operator of the server changed; what applications do at run time is not here, nor is what was refused.',
    query: listQuery,
    answer: pageOf(AuditEntry),
    filterable: auditFilterFields.map(({ name }) => name),
  }),
  get: contract({
    name: 'admin.audit.get',
    method: 'GET',
    path: `${path}/{id}`,
    access: 'admin.audit:read',
    summary: 'Read who did one thing',
    params: idParams,
    answer: AuditEntry,
    problems: ['license.record_not_found'],
  }),
}
