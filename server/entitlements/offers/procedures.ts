import { changesBetween } from '../../../catalog-schema/canonical.ts'
import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Offer } from '../../../catalog-schema/offer.ts'
import { refuseErrors } from '../../catalog/records/judging.ts'
import { lockCatalog, moveRevision } from '../../catalog/records/revision.ts'
import { requireStepOrSame } from '../../catalog/records/steps.ts'
import { asRegistered, assignTags, forgetTags, tagsOf } from '../../catalog/records/tagging.ts'
import type { CatalogAround } from '../../catalog/suites/surroundings.ts'
import type { WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { Problem, recordNotFound } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { applyBody, readBody } from '../../kit/records/body.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { findRecord, softDelete, writeRecords } from '../../kit/records/store.ts'
import {
  entitlementProductContracts,
  offerBodyFields,
  offerClears,
  offerContracts,
  offerProductContracts,
} from './contract.ts'
import { choosePlan } from './given-plan.ts'
import { type GivenProduct, nameProducts } from './given-products.ts'
import { type OfferRow, readProducts, toItem, toRow } from './items.ts'
import { findOfferByName, getOffer, offerSource } from './store.ts'
import { answerOffer, toWire } from './wire.ts'
import { judgeOffer, loadOfferAround, namePlan } from './written.ts'

type Given = Record<string, unknown>

const list = query(offerContracts.list, (context, input) => answerPage(context, input, offerSource, toWire))

const get = query(offerContracts.get, ({ read, tenant }, { id }) => answerOffer(read, tenant.id, id))

const create = mutation(offerContracts.create, async (context, body) => {
  await lockCatalog(context.tx, context.tenant.id)
  return edit(context, undefined, readBody(offerBodyFields, body))
})

const update = mutation(offerContracts.update, async (context, { id, ...body }) =>
  edit(context, await load(context, id), readBody(offerBodyFields, body, offerClears)),
)
const replace = mutation(offerContracts.replace, async (context, { id, ...body }) =>
  edit(context, await load(context, id), readBody(offerBodyFields, body, offerClears)),
)

/** Writes what a request makes of an offer, or a new one, and answers it; nothing moves when it is as before. */
async function edit(context: WriteContext, row: OfferRow | undefined, given: Given) {
  const { tx, tenant } = context
  const { isOffer: _isOffer, assignedPlanSetId: _set, assignedPlanName: _plan, products, ...fields } = given
  const stored = { planSetId: row?.assigned_plan_set_id ?? null, planName: row?.assigned_plan_name ?? null }
  const { choice, errors } = choosePlan(stored, given)
  refuseErrors(errors)
  const productIds = [...givenIds(products), ...(row ? readProducts(row).map(({ productId }) => productId) : [])]
  const around = await loadOfferAround(tx, tenant.id, productIds, [stored.planSetId, choice.planSetId])
  const before = row && toItem(row, around.names, (await tagsOf(tx, tenant.id, [row.id])).get(row.id) ?? [])
  const said = { ...fields, ...givenProducts(products, around), assignedPlan: namePlan(choice, around) }
  return write(context, row && before && { row, item: before }, said, around)
}

const givenIds = (products: unknown) =>
  ((products ?? []) as GivenProduct[]).map(({ productId }) => productId.toLowerCase())

/** The products of a request by name, where it gives any; throws for those that cannot be an offer's. */
function givenProducts(given: unknown, { names }: CatalogAround): Given {
  if (!given) return {}
  const { products, errors } = nameProducts(given as GivenProduct[], names)
  refuseErrors(errors)
  return { products }
}

async function write(
  context: WriteContext,
  before: { row: OfferRow; item: Offer } | undefined,
  said: Given,
  around: CatalogAround,
) {
  const { tx, tenant } = context
  const stamp = stampOf(context)
  const merged = before ? applyBody('entitlementOffer', offerBodyFields, before.item, said) : said
  const tags = await asRegistered(tx, tenant.id, 'Entitlement', (merged.tags as string[] | undefined) ?? [])
  const item = judgeOffer({ ...merged, ...(said.products ? { products: said.products } : {}), tags }, around)
  if (before) requireStepOrSame('entitlementOffer', before.item, item)
  if (before && changesBetween('entitlementOffer', before.item, item).length === 0)
    return answerOffer(tx, tenant.id, before.row.id)
  const id = before?.row.id ?? newId()
  await requireFreeName(context, item, id)
  await writeRecords(tx, 'entitlements', [toRow(item, id, around.names, stamp, before?.row)])
  await assignTags(tx, 'Entitlement', id, item.tags, stamp)
  await moveRevision(tx, tenant.id)
  return answerOffer(tx, tenant.id, id)
}

async function requireFreeName({ tx, tenant }: WriteContext, item: Offer, id: string) {
  const holder = await findOfferByName(tx, tenant.id, item.name, item.version)
  if (holder && holder.id !== id)
    throw new Problem('catalog.duplicate_key', `There is an ${keyOf('entitlementOffer', item)} already.`)
}

/** Loads the offer that is to be changed, once it is this request's turn to change the catalog. */
async function load(context: WriteContext, id: string): Promise<OfferRow> {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const row = await getOffer(tx, tenant.id, id)
  requireRevision(context, row.revision_number)
  return row
}

const remove = mutation(offerContracts.delete, async (context, { id }) => {
  const { tx, tenant } = context
  const row = await load(context, id)
  await softDelete(tx, 'entitlements', stampOf(context), [row.id])
  await forgetTags(tx, tenant.id, [row.id])
  await moveRevision(tx, tenant.id)
  return undefined
})

async function attach(context: WriteContext, { id, productId }: { id: string; productId: string }) {
  const { tx, tenant } = context
  const row = await load(context, id)
  const product = await findRecord(tx, 'products', tenant.id, productId)
  if (!product) throw recordNotFound('product')
  const products = readProducts(row)
  if (products.some((held) => held.productId === product.id)) return answerOffer(tx, tenant.id, row.id)
  return edit(context, row, { products: [...products, { productId: product.id }] })
}

async function detach(context: WriteContext, { id, productId }: { id: string; productId: string }) {
  const row = await load(context, id)
  const products = readProducts(row)
  const staying = products.filter((held) => held.productId !== productId.toLowerCase())
  if (staying.length === products.length) throw recordNotFound('product of this offer')
  await edit(context, row, { products: staying })
  return undefined
}

export const offers = {
  list,
  get,
  create,
  update,
  replace,
  delete: remove,
  products: {
    attach: mutation(offerProductContracts.attach, attach),
    detach: mutation(offerProductContracts.detach, detach),
  },
}

/** The products of an entitlement; as yet an entitlement is an offer. */
export const entitlements = {
  products: {
    attach: mutation(entitlementProductContracts.attach, attach),
    detach: mutation(entitlementProductContracts.detach, detach),
  },
}
