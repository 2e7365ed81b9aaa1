import { type Static, Type } from 'typebox'
import { OneOf, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { recordId, recordTail } from '../../kit/records/answers.ts'
import { codeFilterFields, codeTextName } from './fields.ts'
import { WorkflowParameters, workflowFields } from './parameters.ts'
import { codeStatuses } from './status.ts'

/** An activation code as it is answered. */
export const CodeRecord = Closed(
  {
    ...recordId,
    entitlementId: Uuid(),
    status: OneOf(codeStatuses, {
      description:
        'Pending while no device holds a seat by it, Active while some do, Exhausted when maxDeviceActivations do; Expired and Revoked codes activate nothing more.',
    }),
    usedActivations: Type.Integer({ description: 'How many devices hold a seat by it now.' }),
    ...workflowFields,
    ...recordTail,
  },
  { description: 'What lets a device or a person activate an entitlement.' },
)
export type CodeRecord = Static<typeof CodeRecord>

const params = Closed({ ...idParams.properties, codeId: Uuid({ description: 'The id of the activation code.' }) })
const below = (audience: string) => `${provision}/${audience}/entitlements/{id}/activation-codes`

const issuing = {
  method: 'POST',
  summary: 'Issue an activation code',
  description:
    'The code is the one given, or else made by the key issuance policy of the entitlement. Of two codes that would be looked up alike the second is refused: letter case and blanks count for nothing, and where CrockfordBase32 is the alphabet of the policy, neither do O for 0, and I or L for 1, nor hyphens in a code that it could have made.',
  params: idParams,
  body: WorkflowParameters,
  answer: CodeRecord,
  problems: ['license.record_not_found', 'catalog.duplicate_key'],
} as const

const deleting = {
  method: 'DELETE',
  summary: 'Delete an activation code',
  description: 'Nothing is activated by it any more, and its text may be issued again; sessions that it opened stay.',
  params,
  problems: ['license.record_not_found', 'request.precondition_failed'],
} as const

export const codeContracts = {
  list: contract({
    name: 'admin.entitlements.activationCodes.list',
    method: 'GET',
    path: below('admin'),
    access: 'admin.entitlements:read',
    summary: 'List the activation codes of an entitlement',
    params: idParams,
    query: listQuery,
    answer: pageOf(CodeRecord),
    filterable: [...codeFilterFields.map(({ name }) => name), codeTextName],
    notSortable: [codeTextName],
    problems: ['license.record_not_found'],
  }),
  issue: contract({
    name: 'admin.entitlements.activationCodes.issue',
    path: below('admin'),
    access: 'admin.entitlements:create',
    ...issuing,
  }),
  get: contract({
    name: 'admin.entitlements.activationCodes.get',
    method: 'GET',
    path: `${below('admin')}/{codeId}`,
    access: 'admin.entitlements:read',
    summary: 'Read an activation code',
    params,
    answer: CodeRecord,
    problems: ['license.record_not_found'],
  }),
  revoke: contract({
    name: 'admin.entitlements.activationCodes.revoke',
    method: 'POST',
    path: `${below('admin')}/{codeId}/revoke`,
    access: 'admin.entitlements:update',
    summary: 'Revoke an activation code',
    description: 'Nothing is activated by it any more; sessions that it opened stay. Again, it stays as it is.',
    params,
    answer: CodeRecord,
    problems: ['license.record_not_found', 'request.precondition_failed'],
  }),
  delete: contract({
    name: 'admin.entitlements.activationCodes.delete',
    path: `${below('admin')}/{codeId}`,
    access: 'admin.entitlements:delete',
    ...deleting,
  }),
}

export const operationalCodeContracts = {
  issue: contract({
    name: 'operational.entitlements.activationCodes.issue',
    path: below('operational'),
    access: 'operational.entitlements:create',
    ...issuing,
  }),
  delete: contract({
    name: 'operational.entitlements.activationCodes.delete',
    path: `${below('operational')}/{codeId}`,
    access: 'operational.entitlements:delete',
    ...deleting,
  }),
}
