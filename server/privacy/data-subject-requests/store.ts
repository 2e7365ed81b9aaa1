import type { Person } from '../../access/users/person.ts'
import type { Readable, Tx } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import { requestKinds, requestStatuses } from './steps.ts'
import type { DataSubjectRequestTables } from './tables.ts'

export type RequestRow = DataSubjectRequestTables['data_subject_requests']

const column = (name: string, column: string, nullable = false) => ({
  name,
  column: `data_subject_requests.${column}`,
  nullable,
})

export const requestFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('id', 'id'), type: 'uuid' },
  { ...column('userId', 'user_id'), type: 'uuid' },
  { ...column('kind', 'kind'), type: 'enum', values: requestKinds },
  { ...column('status', 'status'), type: 'enum', values: requestStatuses },
  { ...column('note', 'note', true), type: 'text' },
  { ...column('reviewNote', 'review_note', true), type: 'text' },
  { ...column('reviewedBy', 'reviewed_by', true), type: 'text' },
  { ...column('reviewedAt', 'reviewed_at', true), type: 'instant' },
  { ...column('completedAt', 'completed_at', true), type: 'instant' },
  { ...column('createdAt', 'created_at'), type: 'instant' },
]

const requestsOf = (read: Readable, tenantId: string, userId: string | undefined) => {
  const requests = read.selectFrom('data_subject_requests').where('tenant_id', '=', tenantId)
  return userId === undefined ? requests : requests.where('user_id', '=', userId)
}

/** A page of the requests of a tenant, or of one user, the first filed first unless a sortOrder says otherwise. */
export const listRequests = (read: Readable, tenantId: string, userId: string | undefined, query: ListQuery) =>
  listRows(requestsOf(read, tenantId, userId), requestFilterFields, 'createdAt', query)

/** A request of the tenant's, or of one user; throws the not-found problem. */
export async function getRequest(read: Readable, tenantId: string, id: string, userId?: string): Promise<RequestRow> {
  const request = requestsOf(read, tenantId, userId).selectAll().where('id', '=', id.toLowerCase())
  return found(await request.executeTakeFirst())
}

/** The same, nobody else's to change until the transaction ends. */
export async function lockRequest(tx: Tx, tenantId: string, id: string): Promise<RequestRow> {
  const request = requestsOf(tx, tenantId, undefined).selectAll().where('id', '=', id.toLowerCase())
  return found(await request.forUpdate().executeTakeFirst())
}

function found(row: RequestRow | undefined): RequestRow {
  if (!row) throw recordNotFound('data-subject request')
  return row
}

/** How many requests of a user wait for an answer. */
export async function countFiled(read: Readable, tenantId: string, userId: string): Promise<number> {
  const { count } = await requestsOf(read, tenantId, userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'Filed')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Keeps a new request. */
export const insertRequest = async (tx: Tx, row: RequestRow): Promise<void> =>
  void (await tx.insertInto('data_subject_requests').values(row).execute())

/** Writes how a request stands now. */
export const updateRequest = async (tx: Tx, { tenant_id, id, ...columns }: RequestRow): Promise<void> =>
  void (await tx
    .updateTable('data_subject_requests')
    .set(columns)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute())

const requestsOfPerson = (read: Readable, { tenantId, userIds }: Person) =>
  requestsOf(read, tenantId, undefined)
    .selectAll()
    .where(isAmong(read, 'user_id', listed(read, userIds)))
    .orderBy('id')

/** Everything that a person has asked for. */
export const listOfPerson = (read: Readable, person: Person): Promise<RequestRow[]> =>
  requestsOfPerson(read, person).execute()

/** The same, nobody else's to change until the transaction ends. */
export const lockRequestsOf = (tx: Tx, person: Person): Promise<RequestRow[]> =>
  requestsOfPerson(tx, person).forUpdate().execute()
