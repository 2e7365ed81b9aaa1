import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { no, yes } from '../../kit/flags.ts'
import { recordNotFound } from '../../kit/problem.ts'
import type { ListSource } from '../../kit/records/store.ts'
import { entitlementFilterFields } from '../entitlements/fields.ts'
import type { EntitlementRow } from './tables.ts'

export const offerSource: ListSource<EntitlementRow> = {
  table: 'entitlements',
  fields: entitlementFilterFields,
  only: sql<boolean>`entitlements.is_offer = 1`,
}

const live = (readable: Readable, tenantId: string) =>
  readable
    .selectFrom('entitlements')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_offer', '=', yes)
    .where('is_deleted', '=', no)

/** The live offer of that id; throws the not-found problem. */
export async function getOffer(readable: Readable, tenantId: string, id: string): Promise<EntitlementRow> {
  const row = await live(readable, tenantId).where('id', '=', id.toLowerCase()).executeTakeFirst()
  if (!row) throw recordNotFound('offer')
  return row
}

/** The live offer with a name and version. */
export function findOfferByName(readable: Readable, tenantId: string, name: string, version: string | null) {
  const named = live(readable, tenantId).where('name', '=', name)
  return (
    version === null ? named.where('version', 'is', null) : named.where('version', '=', version)
  ).executeTakeFirst()
}

/** The live offers with a name, of every version or (unless it is null) of this one. */
export function listOffersNamed(readable: Readable, tenantId: string, name: string, version: string | null) {
  const named = live(readable, tenantId).where('name', '=', name)
  return (version === null ? named : named.where('version', '=', version)).execute()
}
