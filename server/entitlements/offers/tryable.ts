import type { Readable, Tx } from '../../database/database.ts'
import { no, yes } from '../../kit/flags.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { heldSeats } from '../seats/held.ts'
import { readProducts } from './items.ts'

const tryable = (read: Readable, tenantId: string) =>
  read
    .selectFrom('entitlements')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_offer', '=', yes)
    .where('is_deleted', '=', no)
    .where('allow_anonymous_try', '=', yes)
    .where('anonymous_try_policy', 'is not', null)

/** The tenant's offers that say that visitors may try them, and have a version of this product; whether their policy is in force is not asked. */
export async function listTryableOffers(
  read: Readable,
  tenantId: string,
  productCode: string,
): Promise<EntitlementRow[]> {
  const products = await read
    .selectFrom('products')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('product_code', '=', productCode)
    .where('is_deleted', '=', no)
    .execute()
  const ids = new Set(products.map(({ id }) => id))
  const offers = await tryable(read, tenantId).execute()
  return offers.filter((offer) => readProducts(offer).some(({ productId }) => ids.has(productId)))
}

/** Such an offer, nobody else's to change or try until the transaction ends; undefined when there is none under the id. */
export const lockTryableOffer = (tx: Tx, tenantId: string, id: string): Promise<EntitlementRow | undefined> =>
  tryable(tx, tenantId).where('id', '=', id.toLowerCase()).forNoKeyUpdate().executeTakeFirst()

/** How many devices are trying an offer at `now`: they hold a seat, or their token is good and takes it again. */
export async function countTries(read: Readable, tenantId: string, offerId: string, now: number): Promise<number> {
  const isHeld = await heldSeats(read, tenantId, now)
  // As a list of entitlements: given a join, SQLite would go through all the sessions of the tenant.
  const open = read
    .selectFrom('entitlements')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('source_offer_id', '=', offerId)
    .where('is_anonymous_try', '=', yes)
    .where('is_deleted', '=', no)
    .where('expiration_date_time', '>', now)
  const { tries } = await read
    .selectFrom('license_sessions')
    .select(({ fn }) => fn.countAll<number>().as('tries'))
    .where('tenant_id', '=', tenantId)
    .where('entitlement_id', 'in', open)
    .where('is_seated', '=', yes)
    .where((eb) => eb.or([isHeld, eb('grace_expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(tries)
}
