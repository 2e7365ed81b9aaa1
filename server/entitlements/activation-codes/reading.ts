import { lockUserStanding } from '../../access/users/standing.ts'
import type { Cause } from '../../kit/outbox.ts'
import { type FieldError, invalid } from '../../kit/problem.ts'
import { readBody } from '../../kit/records/body.ts'
import { keepRecord } from '../../kit/records/locking.ts'
import { type WorkflowFields, type WorkflowParameters, workflowFields } from './parameters.ts'

const defaults = Object.fromEntries(
  Object.entries(workflowFields).map(([name, schema]) => [name, (schema as { default?: unknown }).default ?? null]),
)

/** A code's parameters, complete and lower-cased where ids are; throws the validation problem, pointing below `at`, for a user or a group that nobody has, or an end that is past. */
export async function readParameters(
  { tx, tenantId, now }: Cause,
  parameters: WorkflowParameters,
  at: string,
): Promise<WorkflowFields> {
  const read = { ...defaults, ...readBody(workflowFields, parameters) } as WorkflowFields
  const errors: FieldError[] = []
  const refuse = (field: keyof WorkflowFields, message: string) => errors.push({ pointer: `${at}/${field}`, message })
  if (read.requiredUserId !== null) {
    read.requiredUserId = read.requiredUserId.toLowerCase()
    if (!(await lockUserStanding(tx, tenantId, read.requiredUserId)))
      refuse('requiredUserId', 'there is no user with that id')
  }
  if (read.organizationGroupId !== null) {
    read.organizationGroupId = read.organizationGroupId.toLowerCase()
    if (!(await keepRecord(tx, 'organization_groups', tenantId, read.organizationGroupId)))
      refuse('organizationGroupId', 'there is no organization group with that id')
  }
  if (read.expirationTimeStamp !== null && Date.parse(read.expirationTimeStamp) <= now)
    refuse('expirationTimeStamp', 'must be later than now')
  if (errors.length > 0) throw invalid(errors)
  return read
}
