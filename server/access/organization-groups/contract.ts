import { Type } from 'typebox'
import { Name, NullableText, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { collectionContracts } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { recordKind } from '../../kit/records/kind.ts'

/** The most members that a group has. */
export const mostMembers = 5000

const groupFields = {
  name: Name(200, {
    description:
      'Tells the groups of the tenant apart. A catalog has the group by it, so it stays while an offer asks for the group.',
  }),
  description: NullableText(20_000, { description: 'Who belongs to it, in prose.' }),
  externalReference: NullableText(300, { description: 'What another system of the vendor calls the group.' }),
  members: Type.Unsafe<string[]>({
    type: 'array',
    maxItems: mostMembers,
    items: Uuid(),
    default: [],
    description: 'The ids of its users; a list replaces the stored one.',
  }),
}

export const groupKind = recordKind('organization_groups', groupFields, ['members'])

/** An organization group as it is answered. */
const GroupRecord = Closed(
  { ...recordId, ...groupFields, ...recordTail },
  { description: 'Users of one organization, whom an entitlement or a code may ask for.' },
)

const name = 'admin.organizationGroups'
const path = 'admin/organization-groups'

export const groupContracts = collectionContracts({
  name,
  noun: 'organization group',
  plural: 'organization groups',
  path,
  scope: 'organization-groups',
  record: GroupRecord,
  create: bodyOf(groupFields, ['name']),
  update: bodyOf(groupFields),
  replace: bodyOf(groupFields, ['name']),
  filterable: groupKind.filterFields.map(({ name }) => name),
  editProblems: ['catalog.in_use'],
  deleteProblems: ['catalog.in_use'],
})

const params = Closed({
  id: Uuid({ description: 'The id of the group.' }),
  userId: Uuid({ description: 'The id of the user.' }),
})

export const memberContracts = {
  add: contract({
    name: `${name}.members.add`,
    method: 'POST',
    path: `${provision}/${path}/{id}/members/{userId}`,
    access: 'admin.organization-groups:update',
    summary: 'Make a user a member of an organization group',
    description: 'A user who is a member already stays one.',
    params,
    answer: GroupRecord,
    problems: ['license.record_not_found', 'request.precondition_failed'],
  }),
  remove: contract({
    name: `${name}.members.remove`,
    method: 'DELETE',
    path: `${provision}/${path}/{id}/members/{userId}`,
    access: 'admin.organization-groups:delete',
    summary: 'Take a user out of an organization group',
    params,
    problems: ['license.record_not_found', 'request.precondition_failed'],
  }),
}
