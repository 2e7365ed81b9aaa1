import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Product } from '../../../catalog-schema/product.ts'
import type { WriteContext } from '../../kit/context.ts'
import { Problem } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { refuseInUse } from '../../kit/records/in-use.ts'
import { lockForDeletion } from '../../kit/records/locking.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { CatalogNames } from '../records/names.ts'
import { lockCatalog, moveRevision } from '../records/revision.ts'
import { requireStep, requireStepOrSame } from '../records/steps.ts'
import { productContracts, productFilterFields } from './contract.ts'
import { deleteProduct } from './deleting.ts'
import { refuseLocked } from './locking.ts'
import { usersOfProduct } from './users.ts'
import { answerProduct, toWire } from './wire.ts'
import { applyProduct, completeBody, type GivenBody, loadProduct, writeProduct } from './writing.ts'

const list = query(productContracts.list, (context, input) =>
  answerPage(context, input, { table: 'products', fields: productFilterFields }, toWire),
)

const get = query(productContracts.get, ({ read, tenant }, { id }) => answerProduct(read, tenant.id, id))

const create = mutation(productContracts.create, async (context, given) => {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const names = new CatalogNames()
  const body = await completeBody(context, undefined, given)
  const item = await applyProduct(context, names, undefined, body)
  return answerProduct(tx, tenant.id, await writeProduct(context, names, item, undefined, body))
})

const update = mutation(productContracts.update, (context, { id, ...body }) => edit(context, id, body, true))
const replace = mutation(productContracts.replace, (context, { id, ...body }) => edit(context, id, body))

async function edit(context: WriteContext, id: string, given: GivenBody, keepsProperties = false) {
  const before = await loadProduct(context, id)
  const body = await completeBody(context, before.row.id, given)
  const item = await applyProduct(context, before.names, before, body, keepsProperties)
  refuseLocked(before.item, item)
  requireStepOrSame('product', before.item, item)
  await writeProduct(context, before.names, item, before, body)
  return answerProduct(context.tx, context.tenant.id, before.row.id)
}

const remove = mutation(productContracts.delete, async (context, { id }) => {
  const { tx, tenant } = context
  const { row, item } = await loadProduct(context, id)
  refuseLocked(item)
  await lockForDeletion(context, 'products', id, 'product')
  refuseInUse(keyOf('product', item), await usersOfProduct(tx, tenant.id, row.id))
  await deleteProduct(tx, row.id, stampOf(context))
  await moveRevision(tx, tenant.id)
  return undefined
})

/** The deed that takes a product one step along its lifecycle. */
const stepTo =
  (status: Product['status']) =>
  async (context: WriteContext, { id }: { id: string }) => {
    const before = await loadProduct(context, id)
    refuseLocked(before.item)
    requireStep('product', before.item.status, status)
    await writeProduct(context, before.names, { ...before.item, status }, before)
    return answerProduct(context.tx, context.tenant.id, before.row.id)
  }

/** The deed that locks or unlocks a product which is not yet so. */
const setLocked =
  (isLocked: boolean) =>
  async (context: WriteContext, { id }: { id: string }) => {
    const before = await loadProduct(context, id)
    if (before.item.isLocked === isLocked)
      throw new Problem('catalog.invalid_transition', isLocked ? 'It is locked already.' : 'It is not locked.')
    await writeProduct(context, before.names, { ...before.item, isLocked }, before)
    return answerProduct(context.tx, context.tenant.id, before.row.id)
  }

export const products = {
  list,
  create,
  get,
  update,
  replace,
  delete: remove,
  publish: mutation(productContracts.publish, stepTo('Published')),
  retire: mutation(productContracts.retire, stepTo('Retired')),
  lock: mutation(productContracts.lock, setLocked(true)),
  unlock: mutation(productContracts.unlock, setLocked(false)),
}
