import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant } from '../../kit/records/answers.ts'
import { assignmentFilterFields } from './store.ts'

const Assignment = Closed(
  {
    entitlementId: Uuid(),
    userId: Uuid({ description: 'The user (principal) who may use it.' }),
    assignedAt: Instant('Since when.'),
  },
  { description: 'That a user may use an entitlement.' },
)

const name = 'admin.entitlements.principals'
const path = `${provision}/admin/entitlements/{id}/principals`
const params = Closed({
  id: Uuid({ description: 'The id of the entitlement.' }),
  principalId: Uuid({ description: 'The id of the user.' }),
})

export const principalContracts = {
  list: contract({
    name: `${name}.list`,
    method: 'GET',
    path,
    access: 'admin.entitlements:read',
    summary: 'List the users assigned to an entitlement',
    params: idParams,
    query: listQuery,
    answer: pageOf(Assignment),
    filterable: assignmentFilterFields.map(({ name }) => name),
    problems: ['license.record_not_found'],
  }),
  assign: contract({
    name: `${name}.assign`,
    method: 'POST',
    path: `${path}/{principalId}`,
    access: 'admin.entitlements:update',
    summary: 'Assign a user to an entitlement',
    description:
      'A signed-in user activates what is assigned to them without a code. Assigning again changes nothing and answers alike.',
    params,
    answer: Assignment,
    problems: ['license.record_not_found'],
  }),
  remove: contract({
    name: `${name}.remove`,
    method: 'DELETE',
    path: `${path}/{principalId}`,
    access: 'admin.entitlements:delete',
    summary: 'Take an entitlement from a user',
    description: 'Sessions that the user has activated go on. If-Match names the revision of the entitlement.',
    params,
    problems: ['license.record_not_found', 'request.precondition_failed'],
  }),
}
