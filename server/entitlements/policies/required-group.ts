import { groupExists } from '../../access/organization-groups/membership.ts'
import type { Readable } from '../../database/database.ts'
import { invalid } from '../../kit/problem.ts'
import type { ActivationPolicy } from './effective.ts'

/** Refuses a request whose activation policy asks for an organization group that the tenant has not; throws the validation problem. */
export async function requireGroup(
  read: Readable,
  tenantId: string,
  given: { activationPolicy?: Partial<ActivationPolicy> | null },
): Promise<void> {
  const id = given.activationPolicy?.requireOrganizationGroupMember
  if (!id || (await groupExists(read, tenantId, id))) return
  const pointer = '/activationPolicy/requireOrganizationGroupMember'
  throw invalid([{ pointer, message: 'there is no organization group with that id' }])
}
