import { findGroups } from '../access/organization-groups/names.ts'
import type { Readable } from '../database/database.ts'

const field = 'requireOrganizationGroupMember'

type Told = Record<string, unknown>

/**
 * Names the organization groups of what was kept of offers: earlier versions kept them by their ids, as their catalogs told
 * them, and a catalog knows none by its id. One that is no more stays as it was kept.
 */
export async function nameFormerGroups(readable: Readable, tenantId: string, offers: readonly Told[]): Promise<void> {
  const places = offers.flatMap((offer) => placesIn(offer))
  const ids = places.map(({ held, name }) => String(held[name]).toLowerCase())
  const groups = await findGroups(readable, tenantId, 'id', ids)
  const names = new Map(groups.map(({ id, name }) => [id, name]))
  for (const [at, { held, name }] of places.entries()) held[name] = names.get(ids[at]!) ?? held[name]
}

/** Names those of what a report says of offers. */
export const nameGroupsOfReport = (
  readable: Readable,
  tenantId: string,
  { items }: { items: readonly { kind: string; changes?: readonly object[] | undefined }[] },
): Promise<void> =>
  nameFormerGroups(
    readable,
    tenantId,
    items.flatMap(({ kind, changes }) => (kind === 'entitlementOffer' ? ((changes ?? []) as Told[]) : [])),
  )

/** Where groups stand in an offer, or in a change of one: what the field was before, and is after. */
function placesIn(told: Told): { held: Told; name: string }[] {
  const isChange = typeof told.path === 'string' && told.path.endsWith(`/${field}`)
  return Object.entries(told).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return placesIn(value as Told)
    const isGroup = name === field || (isChange && (name === 'before' || name === 'after'))
    return isGroup && typeof value === 'string' ? [{ held: told, name }] : []
  })
}
