import { type Static, Type } from 'typebox'
import { NullableText, OneOf, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, NullInstant, NullWords } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { requestKinds, requestStatuses, type Step } from './steps.ts'
import { requestFilterFields } from './store.ts'

/** A request as it is answered, to who filed it and to who decides on it alike. */
const RequestRecord = Closed(
  {
    id: Uuid(),
    userId: Uuid({ description: 'The user whose data it is about.' }),
    kind: OneOf(requestKinds, { description: 'What is asked for.' }),
    note: NullWords('What the user said; nothing of it is left after an erasure.'),
    status: OneOf(requestStatuses, { description: 'Filed, then Approved or Rejected; Approved, then Completed.' }),
    reviewNote: NullWords('What the vendor says to the user.'),
    reviewedBy: NullWords('Who approved or rejected it, such as `client:ID`.'),
    reviewedAt: NullInstant('When.'),
    completedAt: NullInstant('When it was completed.'),
    createdAt: Instant('When it was filed.'),
  },
  { description: 'What a person asks for of their own data.' },
)
export type RequestRecord = Static<typeof RequestRecord>

const RecordList = (description: string) =>
  Type.Unsafe<Record<string, unknown>[]>({ type: 'array', items: { type: 'object' }, description })

const PersonalDocument = Closed(
  {
    generatedAt: Instant('When it was put together.'),
    users: RecordList('The user, and those of the same addresses who were deleted before.'),
    organizationGroups: RecordList('The groups that the user belongs to.'),
    entitlements: RecordList('What is assigned to the user.'),
    entitlementContacts: RecordList('Entitlements whose contact has their address.'),
    customers: RecordList('Customers with their address.'),
    activationCodes: RecordList('The codes for the user, or that were sent to their address; not their text.'),
    planChangeRequests: RecordList('Other plans that the user asked for.'),
    sessions: RecordList(
      'License sessions that the user activated, or nobody who was signed in with their address; with their devices.',
    ),
    blockedDevices: RecordList('Those of the devices that are blocked.'),
    registrations: RecordList('Registrations of their address that were not confirmed.'),
    feedback: RecordList('Feedback of the user, and of their devices.'),
    ratings: RecordList('Ratings of the user, and of their devices.'),
    dataSubjectRequests: RecordList('What the user asked for of their data.'),
    usageTransactions: RecordList('What their sessions uploaded.'),
    audit: RecordList('What the audit log says of what the user did, and of what was done to their records.'),
  },
  {
    description:
      'All that is kept of a person, under the names that the operations on it have. Their address is the verified one, and every verified one before it.',
  },
)

const ownPath = `${provision}/consumer/me/data-subject-requests`
const path = `${provision}/admin/data-subject-requests`
const filterable = requestFilterFields.map(({ name }) => name)
const note = (description: string) => NullableText(4000, { description })

export const ownRequestContracts = {
  file: contract({
    name: 'consumer.dataSubjectRequests.file',
    method: 'POST',
    path: ownPath,
    access: 'user',
    summary: "Ask for access to one's data, their erasure or their rectification",
    description: 'At most 100 of a user wait for an answer at a time. Emits DataSubjectRequest.Filed.',
    body: bodyOf(
      {
        kind: OneOf(requestKinds, { description: 'What is asked for.' }),
        note: note('What the vendor is told.'),
      },
      ['kind'],
    ),
    answer: RequestRecord,
    problems: ['request.rate_limited'],
  }),
  list: contract({
    name: 'consumer.dataSubjectRequests.list',
    method: 'GET',
    path: ownPath,
    access: 'user',
    summary: "List what one asked for of one's data",
    query: listQuery,
    answer: pageOf(RequestRecord),
    filterable,
  }),
  data: contract({
    name: 'consumer.dataSubjectRequests.data',
    method: 'GET',
    path: `${ownPath}/{id}/data`,
    access: 'user',
    summary: 'Read all that is kept of oneself, after a request for access was approved',
    params: idParams,
    answer: PersonalDocument,
    readsMuch: true,
    problems: ['license.record_not_found', 'catalog.invalid_transition'],
  }),
}

const stepContract = <const S extends Step>(step: S, summary: string, description: string) =>
  contract({
    name: `admin.dataSubjectRequests.${step}`,
    method: 'POST',
    path: `${path}/{id}/${step}`,
    access: 'admin.data-subject-requests:update',
    summary,
    description,
    params: idParams,
    body: bodyOf({ note: note('What the user is told.') }),
    answer: RequestRecord,
    problems: ['license.record_not_found', 'catalog.invalid_transition'],
  })

export const requestContracts = {
  list: contract({
    name: 'admin.dataSubjectRequests.list',
    method: 'GET',
    path,
    access: 'admin.data-subject-requests:read',
    summary: 'List data-subject requests',
    query: listQuery,
    answer: pageOf(RequestRecord),
    filterable,
  }),
  get: contract({
    name: 'admin.dataSubjectRequests.get',
    method: 'GET',
    path: `${path}/{id}`,
    access: 'admin.data-subject-requests:read',
    summary: 'Read a data-subject request',
    params: idParams,
    answer: RequestRecord,
    problems: ['license.record_not_found'],
  }),
  data: contract({
    name: 'admin.dataSubjectRequests.data',
    method: 'GET',
    path: `${path}/{id}/data`,
    access: 'admin.data-subject-requests:read',
    summary: 'Read all that is kept of a person, after their request for access was approved',
    params: idParams,
    answer: PersonalDocument,
    readsMuch: true,
    problems: ['license.record_not_found', 'catalog.invalid_transition'],
  }),
  approve: stepContract(
    'approve',
    'Approve a data-subject request',
    'From then on the data of a request for access can be read. Emits DataSubjectRequest.Approved.',
  ),
  reject: stepContract('reject', 'Reject a data-subject request', 'Emits DataSubjectRequest.Rejected.'),
  complete: {
    ...stepContract(
      'complete',
      'Complete a data-subject request that was approved',
      'Of an erasure this erases: the user is gone, their seats are free, and nothing names them any more, in the audit log either; what was consumed stays counted. It cannot be undone. Emits DataSubjectRequest.Completed, and User.Erased of an erasure.',
    ),
    isErasing: true,
  },
}
