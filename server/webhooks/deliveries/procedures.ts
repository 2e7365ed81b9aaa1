import { announce } from '../../kit/outbox.ts'
import { Problem, recordNotFound } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { answerDeliveries, answerDelivery, answerWithAttempts } from './answering.ts'
import { deliveryContracts } from './contract.ts'
import { explainNoRequeue } from './requeueing.ts'
import { getDelivery, holdSubscription, lockDelivery, requeueDeliveries, requeueDelivery } from './store.ts'

/** What became of events, and another try for those that were given up. */
export const deliveryProcedures = {
  list: query(deliveryContracts.list, ({ read, tenant }, input) => answerDeliveries(read, tenant.id, input)),

  get: query(deliveryContracts.get, ({ read, tenant }, { id }) => answerWithAttempts(read, tenant.id, id)),

  requeue: mutation(deliveryContracts.requeue, async ({ tx, tenant, now }, { id }) => {
    const { subscription_id } = await getDelivery(tx, tenant.id, id)
    const isHeld = await holdSubscription(tx, { tenant_id: tenant.id, id: subscription_id })
    const delivery = await lockDelivery(tx, tenant.id, id)
    const reason = explainNoRequeue(delivery, isHeld)
    if (reason !== undefined) throw new Problem('catalog.invalid_transition', reason)
    await requeueDelivery(tx, delivery.id, now)
    await announce(tx)
    return answerDelivery(tx, tenant.id, delivery.id)
  }),

  requeueSince: mutation(deliveryContracts.requeueSince, async ({ tx, tenant, now }, { subscriptionId, since }) => {
    const subscription = { tenant_id: tenant.id, id: subscriptionId.toLowerCase() }
    if (!(await holdSubscription(tx, subscription))) throw recordNotFound('subscription')
    const requeued = await requeueDeliveries(tx, subscription, Date.parse(since), now)
    if (requeued > 0) await announce(tx)
    return { requeued }
  }),
}
