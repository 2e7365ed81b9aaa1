import { liveStatuses } from '../../../catalog-schema/enumerations.ts'
import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Readable } from '../../database/database.ts'
import { no, yes } from '../../kit/flags.ts'

/** The offers and live (Active or Suspended) entitlements that ask for members of a group, in their policy or a code of theirs. */
export async function usersOfGroup(read: Readable, tenantId: string, groupId: string): Promise<string[]> {
  const rows = await rowsAskingFor(read, tenantId, groupId)
  return rows.map((row) => (row.is_offer === 1 ? keyOf('entitlementOffer', row) : `entitlement:${row.name ?? row.id}`))
}

/** The offers among them: a catalog has the group by its name. */
export async function offersOfGroup(read: Readable, tenantId: string, groupId: string): Promise<string[]> {
  const rows = await rowsAskingFor(read, tenantId, groupId)
  return rows.filter(({ is_offer }) => is_offer === 1).map((row) => keyOf('entitlementOffer', row))
}

function rowsAskingFor(read: Readable, tenantId: string, groupId: string) {
  const coded = read
    .selectFrom('activation_codes')
    .select('entitlement_id')
    .where('tenant_id', '=', tenantId)
    .where('organization_group_id', '=', groupId)
    .where('is_deleted', '=', no)
    .where('revoked_at', 'is', null)
  return read
    .selectFrom('entitlements')
    .select(['id', 'name', 'version', 'is_offer', 'activation_policy'])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where((eb) => eb.or([eb('is_offer', '=', yes), eb('status', 'in', liveStatuses)]))
    .where((eb) =>
      eb.or([eb(eb.fn<string>('lower', ['activation_policy']), 'like', `%${groupId}%`), eb('id', 'in', coded)]),
    )
    .execute()
}
