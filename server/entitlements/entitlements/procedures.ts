import { lockCatalog } from '../../catalog/records/revision.ts'
import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import type { Cause } from '../../kit/outbox.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { readBody } from '../../kit/records/body.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { findRecord, type ListSource, readRecords } from '../../kit/records/store.ts'
import { changesOf } from '../offers/as-read.ts'
import { offerClears } from '../offers/contract.ts'
import { attachToOffer, createOffer, deleteOffer, detachFromOffer } from '../offers/editing.ts'
import { blankEntitlement } from './blank.ts'
import { entitlementBodyFields, entitlementContracts, entitlementProductContracts } from './contract.ts'
import { deleteEntitlement } from './deleting.ts'
import type { Given } from './drafting.ts'
import { assignableFilterFields } from './fields.ts'
import { licensedProductIds } from './licensed-products.ts'
import { type EntitlementRow, lockEntitlement } from './loading.ts'
import { editEither, isOfferId, ofOffer } from './offers-among.ts'
import { editAs } from './turning.ts'
import { bringWhatIsNew } from './what-is-new.ts'
import { answerEntitlement, toWire } from './wire.ts'
import { createEntitlement, editEntitlement, keepReferred } from './writing.ts'

const source: ListSource<EntitlementRow> = { table: 'entitlements', fields: assignableFilterFields }

const list = query(entitlementContracts.list, (context, input) => answerPage(context, input, source, toWire))

const get = query(entitlementContracts.get, ({ read, tenant }, { id }) => answerEntitlement(read, tenant.id, id))

const create = mutation(entitlementContracts.create, async (context, body) => {
  const given = readBody(entitlementBodyFields, body)
  const { id } = given.isOffer ? await createOffer(context, ofOffer(given)) : await createAnew(causeOf(context), given)
  return answerEntitlement(context.tx, context.tenant.id, id)
})

async function createAnew(cause: Cause, given: Given) {
  await keepReferred(cause, given)
  return createEntitlement(cause, blankEntitlement(cause), given)
}

/** Writes what a request makes of an entitlement, or an offer, and answers it. */
async function edit(context: WriteContext, id: string, body: object) {
  const { isOffer, ...given } = readBody(entitlementBodyFields, body, offerClears)
  if (typeof isOffer === 'boolean') await editAs(context, id, isOffer, given)
  else await editEither(context, id, given)
  return answerEntitlement(context.tx, context.tenant.id, id)
}

const replace = mutation(entitlementContracts.replace, async (context, { id, ...body }) => {
  const { tx, tenant } = context
  return edit(
    context,
    id,
    await changesOf(entitlementContracts.replace, body, () => answerEntitlement(tx, tenant.id, id)),
  )
})

const remove = mutation(entitlementContracts.delete, async (context, { id }) => {
  if (await isOfferId(context, id)) await deleteOffer(context, id)
  else await deleteEntitlement(context, id)
  return undefined
})

const attach = mutation(entitlementProductContracts.attach, async (context, { id, productId }) => {
  const { tx, tenant } = context
  if (await isOfferId(context, id)) await attachToOffer(context, { id, productId })
  else {
    const held = await productsOf(context, id)
    if (!(await findRecord(tx, 'products', tenant.id, productId))) throw recordNotFound('product')
    if (held.includes(productId.toLowerCase())) await bringWhatIsNew(context, id, productId.toLowerCase())
    else await keepProducts(context, id, [...held, productId.toLowerCase()])
  }
  return answerEntitlement(tx, tenant.id, id)
})

const detach = mutation(entitlementProductContracts.detach, async (context, { id, productId }) => {
  if (await isOfferId(context, id)) await detachFromOffer(context, { id, productId })
  else {
    const held = await productsOf(context, id)
    const staying = held.filter((one) => one !== productId.toLowerCase())
    if (staying.length === held.length) throw recordNotFound('product of this entitlement')
    await keepProducts(context, id, staying)
  }
  return undefined
})

/** The ids of an entitlement's products, none of which is deleted until the caller is done. */
async function productsOf({ tx, tenant }: WriteContext, id: string) {
  await lockCatalog(tx, tenant.id)
  return licensedProductIds(await lockEntitlement(tx, tenant.id, id))
}

/** Leaves an entitlement these of its products. One that was deleted since goes too: only live entitlements keep a product from that. */
async function keepProducts(context: WriteContext, id: string, productIds: readonly string[]) {
  const { tx, tenant } = context
  const there = new Set((await readRecords(tx, 'products', tenant.id, productIds)).map((product) => product.id))
  const products = productIds.filter((productId) => there.has(productId)).map((productId) => ({ productId }))
  await editEntitlement(context, id, { products } satisfies Given)
}

export const entitlements = {
  list,
  get,
  create,
  update: mutation(entitlementContracts.update, (context, { id, ...body }) => edit(context, id, body)),
  replace,
  delete: remove,
  products: { attach, detach },
}
