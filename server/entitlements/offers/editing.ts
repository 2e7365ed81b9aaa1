import { changesBetween } from '../../../catalog-schema/canonical.ts'
import { keyOf } from '../../../catalog-schema/keys.ts'
import { type Offer, offerFields } from '../../../catalog-schema/offer.ts'
import { refuseErrors } from '../../catalog/records/judging.ts'
import { lockCatalog, moveRevision } from '../../catalog/records/revision.ts'
import { requireStepOrSame } from '../../catalog/records/steps.ts'
import { asRegistered, assignTags, forgetTags, tagsOf } from '../../catalog/records/tagging.ts'
import type { CatalogAround } from '../../catalog/suites/surroundings.ts'
import type { WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { Problem, recordNotFound } from '../../kit/problem.ts'
import { applyBody } from '../../kit/records/body.ts'
import { rowHead, stampOf } from '../../kit/records/stamp.ts'
import { findRecord, softDelete, writeRecords } from '../../kit/records/store.ts'
import { requireCampaign } from '../campaigns/issuance.ts'
import { holderColumns } from '../entitlements/holder-columns.ts'
import { licensedProductIds } from '../entitlements/licensed-products.ts'
import { activationPolicyOf } from '../policies/effective.ts'
import { requireGroup } from '../policies/required-group.ts'
import { offerBodyFields } from './contract.ts'
import { choosePlan } from './given-plan.ts'
import { type GivenProduct, givenIds, nameProducts } from './given-products.ts'
import { readProducts, toItem, toRow } from './items.ts'
import { findOfferByName, getOffer } from './store.ts'
import type { EntitlementRow } from './tables.ts'
import { answerOffer } from './wire.ts'
import { judgeOffer, loadOfferAround, namePlan } from './written.ts'

type Given = Record<string, unknown>

/** Writes the offer that a request describes, and answers it. */
export async function createOffer(context: WriteContext, given: Given) {
  await lockCatalog(context.tx, context.tenant.id)
  return edit(context, undefined, given)
}

/** Writes what a request makes of an offer, and answers it. */
export const editOffer = async (context: WriteContext, id: string, given: Given) =>
  edit(context, await load(context, id), given)

/** Writes the offer that a request makes of what was an entitlement, and answers it; asked in the tenant's turn to change its catalog. */
export const makeOfferOf = (context: WriteContext, entitlement: EntitlementRow, given: Given) =>
  edit(context, entitlement, given)

/** What an entitlement has and no offer. */
const noOffers = {
  source_offer_id: null,
  own_features: null,
  layers: null,
  features: null,
  activated_at: null,
  period_started_at: null,
  period_anchor_at: null,
  trial_started_at: null,
  trial_ends_at: null,
  expiring_told_for: null,
  trial_expiring_told_for: null,
  next_due_at: null,
} satisfies Partial<EntitlementRow>

/** Moves an offer to the status that `targetOf` makes of the one it has, and answers it; an offer's status is told to nobody. */
export async function stepOffer(context: WriteContext, id: string, targetOf: (status: string) => Offer['status']) {
  const row = await load(context, id)
  return edit(context, row, { status: targetOf(row.status) })
}

/** Keeps in an offer what no snapshot has, and answers it; the catalog is as before. */
export async function keepBeside(context: WriteContext, id: string, columns: Partial<EntitlementRow>) {
  const { tx, tenant } = context
  const row = await load(context, id)
  if (!hasColumns(row, columns))
    await writeRecords(tx, 'entitlements', [{ ...row, ...columns, ...rowHead(row.id, row, stampOf(context)) }])
  return answerOffer(tx, tenant.id, row.id)
}

/** Makes an offer one of the past. */
export async function deleteOffer(context: WriteContext, id: string): Promise<void> {
  const { tx, tenant } = context
  const row = await load(context, id)
  await softDelete(tx, 'entitlements', stampOf(context), [row.id])
  await forgetTags(tx, tenant.id, [row.id])
  await moveRevision(tx, tenant.id)
}

/** Gives an offer one more product, without values of the offer's own, and answers it. */
export async function attachToOffer(context: WriteContext, { id, productId }: { id: string; productId: string }) {
  const { tx, tenant } = context
  const row = await load(context, id)
  const product = await findRecord(tx, 'products', tenant.id, productId)
  if (!product) throw recordNotFound('product')
  const products = readProducts(row)
  if (products.some((held) => held.productId === product.id)) return answerOffer(tx, tenant.id, row.id)
  return edit(context, row, { products: [...products, { productId: product.id }] })
}

/** Takes a product from an offer, with the values that the offer set for it. */
export async function detachFromOffer(context: WriteContext, { id, productId }: { id: string; productId: string }) {
  const row = await load(context, id)
  const products = readProducts(row)
  const staying = products.filter((held) => held.productId !== productId.toLowerCase())
  if (staying.length === products.length) throw recordNotFound('product of this offer')
  await edit(context, row, { products: staying })
}

/** Writes what a request makes of an offer, or a new one, or one of what was an entitlement, and answers it; nothing moves when it is as before. */
async function edit(context: WriteContext, row: EntitlementRow | undefined, given: Given) {
  const { tx, tenant } = context
  const { products, ...fields } = given
  const stored = { planSetId: row?.assigned_plan_set_id ?? null, planName: row?.assigned_plan_name ?? null }
  const { choice, errors } = choosePlan(stored, given)
  refuseErrors(errors)
  await requireGroup(tx, tenant.id, row?.is_offer === 0 ? withOwnGroup(row, given) : given)
  const productIds = [...givenIds(products), ...(row ? licensedProductIds(row) : [])]
  const around = await loadOfferAround(tx, tenant.id, productIds, [stored.planSetId, choice.planSetId])
  const before = row && toItem(row, around.names, (await tagsOf(tx, tenant.id, [row.id])).get(row.id) ?? [])
  const ofItem = Object.fromEntries(Object.entries(fields).filter(([name]) => name in offerFields))
  const said = { ...ofItem, ...givenProducts(products, around), assignedPlan: namePlan(choice, around) }
  const beside = { ...(row?.is_offer === 0 ? noOffers : {}), ...(await columnsBeside(context, row, fields)) }
  return write(context, row && before && { row, item: before }, said, beside, around)
}

/** What a request gives, with the policy of what was a Draft: the group that it asks for may have been deleted since. */
const withOwnGroup = (row: EntitlementRow, given: Given): Given =>
  given.activationPolicy === null
    ? given
    : { ...given, activationPolicy: { ...activationPolicyOf(row), ...(given.activationPolicy as object | undefined) } }

/** The products of a request by name, where it gives any; throws for those that cannot be an offer's. */
function givenProducts(given: unknown, { names }: CatalogAround): Given {
  if (!given) return {}
  const { products, errors } = nameProducts(given as GivenProduct[], names)
  refuseErrors(errors)
  return { products }
}

/** The columns of what a request gives of an offer that no snapshot has; a campaign is named when the offer is made, and never after. */
async function columnsBeside({ tx, tenant }: WriteContext, row: EntitlementRow | undefined, given: Given) {
  const held = await holderColumns(tx, tenant.id, given)
  if (row || typeof given.campaignId !== 'string') return held
  return { ...held, campaign_id: await requireCampaign(tx, tenant.id, given.campaignId) }
}

async function write(
  context: WriteContext,
  before: { row: EntitlementRow; item: Offer } | undefined,
  said: Given,
  beside: Partial<EntitlementRow>,
  around: CatalogAround,
) {
  const { tx, tenant } = context
  const stamp = stampOf(context)
  const merged = before ? applyBody('entitlementOffer', offerBodyFields, before.item, said) : said
  const tags = await asRegistered(tx, tenant.id, 'Entitlement', (merged.tags as string[] | undefined) ?? [])
  const item = judgeOffer({ ...merged, ...(said.products ? { products: said.products } : {}), tags }, around)
  if (before) requireStepOrSame('entitlementOffer', before.item, item)
  const isItemSame = before?.row.is_offer === 1 && changesBetween('entitlementOffer', before.item, item).length === 0
  if (isItemSame && hasColumns(before.row, beside)) return answerOffer(tx, tenant.id, before.row.id)
  const id = before?.row.id ?? newId()
  await requireFreeName(context, item, id)
  await writeRecords(tx, 'entitlements', [{ ...toRow(item, id, around.names, stamp, before?.row), ...beside }])
  await assignTags(tx, 'Entitlement', id, item.tags, stamp)
  if (!isItemSame) await moveRevision(tx, tenant.id)
  return answerOffer(tx, tenant.id, id)
}

const hasColumns = (row: EntitlementRow, columns: Partial<EntitlementRow>) =>
  Object.entries(columns).every(([column, value]) => row[column as keyof EntitlementRow] === value)

async function requireFreeName({ tx, tenant }: WriteContext, item: Offer, id: string) {
  const holder = await findOfferByName(tx, tenant.id, item.name, item.version)
  if (holder && holder.id !== id)
    throw new Problem('catalog.duplicate_key', `There is an ${keyOf('entitlementOffer', item)} already.`)
}

/** Loads the offer that is to be changed, once it is this request's turn to change the catalog. */
async function load(context: WriteContext, id: string): Promise<EntitlementRow> {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const row = await getOffer(tx, tenant.id, id)
  requireRevision(context, row.revision_number)
  return row
}
