import { mutation, query } from '../../kit/procedure.ts'
import { readBody } from '../../kit/records/body.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { ofOffer } from '../entitlements/offers-among.ts'
import { changesOf } from './as-read.ts'
import { offerBodyFields, offerClears, offerContracts, offerProductContracts } from './contract.ts'
import { attachToOffer, createOffer, deleteOffer, detachFromOffer, editOffer } from './editing.ts'
import { offerSource } from './store.ts'
import { answerOffer, toWire } from './wire.ts'

const list = query(offerContracts.list, (context, input) => answerPage(context, input, offerSource, toWire))

const get = query(offerContracts.get, ({ read, tenant }, { id }) => answerOffer(read, tenant.id, id))

const create = mutation(offerContracts.create, (context, body) => createOffer(context, readBody(offerBodyFields, body)))
const update = mutation(offerContracts.update, (context, { id, ...body }) =>
  editOffer(context, id, readBody(offerBodyFields, body, offerClears)),
)
const replace = mutation(offerContracts.replace, async (context, { id, ...body }) => {
  const { tx, tenant } = context
  const changes = await changesOf(offerContracts.replace, body, () => answerOffer(tx, tenant.id, id))
  return editOffer(context, id, ofOffer(readBody(offerBodyFields, changes, offerClears)))
})

const remove = mutation(offerContracts.delete, async (context, { id }) => {
  await deleteOffer(context, id)
  return undefined
})

const detach = mutation(offerProductContracts.detach, async (context, input) => {
  await detachFromOffer(context, input)
  return undefined
})

export const offers = {
  list,
  get,
  create,
  update,
  replace,
  delete: remove,
  products: { attach: mutation(offerProductContracts.attach, attachToOffer), detach },
}
