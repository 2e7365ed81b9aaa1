import type { Tx } from '../../database/database.ts'
import { invalid } from '../../kit/problem.ts'
import { keepRecord } from '../../kit/records/locking.ts'
import type { ActivationPolicy } from './effective.ts'

/** Refuses a request whose activation policy asks for an organization group that the tenant has not, and keeps the group; throws the validation problem. */
export async function requireGroup(
  tx: Tx,
  tenantId: string,
  given: { activationPolicy?: Partial<ActivationPolicy> | null },
): Promise<void> {
  const id = given.activationPolicy?.requireOrganizationGroupMember
  if (!id || (await keepRecord(tx, 'organization_groups', tenantId, id))) return
  const pointer = '/activationPolicy/requireOrganizationGroupMember'
  throw invalid([{ pointer, message: 'there is no organization group with that id' }])
}
