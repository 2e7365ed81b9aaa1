import { performAlone } from '../../activations/sessions/settling.ts'
import type { Tx } from '../../database/database.ts'
import { audited } from '../../kit/audit.ts'
import { callerId, type RequestContext, type WriteContext } from '../../kit/context.ts'
import type { Contract } from '../../kit/contract.ts'
import { readIdempotencyKey } from '../../kit/idempotency.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { announce } from '../../kit/outbox.ts'
import { notPublic } from '../../kit/outgoing/failures.ts'
import { Problem } from '../../kit/problem.ts'
import { actorOf, task } from '../../kit/procedure.ts'
import { lockForChange } from '../../kit/records/locking.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { tellRefusedEndpoint } from '../../kit/refused-endpoints.ts'
import { resumeDeliveries } from '../deliveries/store.ts'
import { integrationContracts, type SubscriptionRecord, subscriptionContracts } from '../subscriptions/contract.ts'
import type { SubscriptionOrigin } from '../subscriptions/status.ts'
import { changeSubscription, getSubscription, recordPassing, type SubscriptionRow } from '../subscriptions/store.ts'
import { toWire } from '../subscriptions/wire.ts'
import { keepChallenge } from './keeping.ts'
import { sendChallenge } from './sending.ts'
import { takeTurns } from './taking-turns.ts'

/** The endpoint of a subscription shows that it is what the subscription says. */
export const verify = task(subscriptionContracts.verify, (context, { id }) =>
  challengeOnce(context, subscriptionContracts.verify, id),
)

/** The same of an integrator's. */
export const verifyIntegration = task(integrationContracts.verify, (context, { id }) =>
  challengeOnce(context, integrationContracts.verify, id, 'Integrator'),
)

/** Under an Idempotency-Key that was answered already, nothing is sent again; one that is under way is waited for. */
async function challengeOnce(context: RequestContext, contract: Contract, id: string, origin?: SubscriptionOrigin) {
  const once = (work: (tx: Tx) => Promise<SubscriptionRecord>) =>
    performAlone(context, { name: contract.name, parameters: { id } }, work)
  const challengeNow = async () => {
    const [challenged] = await Promise.allSettled([challenge(context, id, origin)])
    return once(async (tx) => {
      if (challenged.status === 'rejected') throw challenged.reason
      const asked = challenged.value
      const writing = { ...context, tx, actor: actorOf(context) }
      return audited(contract, writing, { id }, () => activate(writing, asked))
    })
  }
  const key = readIdempotencyKey(context.headers)
  if (key === undefined) return challengeNow()
  return takeTurns(`${context.tenant.id} ${callerId(context.caller)} ${key}`, async () => {
    const answered = await once(() => Promise.reject(new NotAnswered())).catch(unlessAnswered)
    return answered ?? challengeNow()
  })
}

class NotAnswered extends Error {}

function unlessAnswered(error: unknown): undefined {
  if (!(error instanceof NotAnswered)) throw error
}

/** Challenges the endpoint and keeps what came of it; answers the subscription as it stood then, or throws webhook.verification_failed. */
async function challenge(context: RequestContext, id: string, origin?: SubscriptionOrigin): Promise<SubscriptionRow> {
  const asked = await getSubscription(context.database.read, context.tenant.id, id, origin)
  requireRevision(context, asked.revision_number)
  const sent = await sendChallenge(context, asked)
  await context.database.transact((tx) => keepChallenge(tx, sent))
  if ('failure' in sent.reply && sent.reply.failure === notPublic) tellRefusedEndpoint(context.answer, notPublic, id)
  if (sent.fault !== undefined) throw new Problem('webhook.verification_failed', sent.fault)
  return asked
}

/** Makes a subscription Active whose endpoint passed, unless that was another endpoint, or it was switched off meanwhile. */
async function activate(context: WriteContext, asked: SubscriptionRow): Promise<SubscriptionRecord> {
  const { tx, tenant, now } = context
  const row = await lockForChange(context, 'webhook_subscriptions', asked.id, 'subscription')
  const isOther = row.url !== asked.url || row.sealed_secrets !== asked.sealed_secrets
  if (isOther || (row.status !== asked.status && row.status !== 'Active'))
    throw new Problem('catalog.invalid_transition', 'The subscription was changed meanwhile; verify it again.')
  if (row.status !== 'Active') {
    await changeSubscription(tx, row, { status: 'Active', verified_at: now }, stampOf(context))
    await resumeDeliveries(tx, row.id, now)
    await announce(tx)
  }
  await recordPassing(tx, row.id)
  return toWire(await getSubscription(tx, tenant.id, row.id))
}
