import type { WriteContext } from '../../kit/context.ts'
import { addDuration } from '../../kit/duration-adding.ts'
import { newId } from '../../kit/ids.ts'
import { toInstant } from '../../kit/instants.ts'
import { takeName } from '../../kit/named-lock.ts'
import { announce, eventRow } from '../../kit/outbox.ts'
import { invalid, Problem } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { lockForChange } from '../../kit/records/locking.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { softDelete } from '../../kit/records/store.ts'
import { pendingDelivery } from '../deliveries/pending.ts'
import { buryDeliveries, insertDeliveries, resumeDeliveries } from '../deliveries/store.ts'
import { fanOutAll } from '../dispatch/fanning-out.ts'
import { integrationContracts, subscriptionContracts } from './contract.ts'
import { subscriptionKind } from './fields.ts'
import { newSecret } from './new-secret.ts'
import { sampleOf } from './sample.ts'
import { rotateSecrets } from './secrets.ts'
import { refuseUngrantable, refuseUnsound } from './soundness.ts'
import type { SubscriptionOrigin } from './status.ts'
import {
  changeSubscription,
  countSubscriptions,
  getSubscription,
  insertStanding,
  openSecrets,
  type SubscriptionRow,
  sealSecrets,
  subscriptionNotFound,
  subscriptionSource,
} from './store.ts'
import { planSwitch } from './switching.ts'
import { toWire } from './wire.ts'

const mostSubscriptions = 1000
const usualOverlap = 'PT24H'
const longestOverlapMillis = 30 * 24 * 3_600_000

const list = query(subscriptionContracts.list, (context, input) =>
  answerPage(context, input, subscriptionSource, async (_read, _tenantId, rows) => rows.map(toWire)),
)

const get = query(subscriptionContracts.get, async ({ read, tenant }, { id }) =>
  toWire(await getSubscription(read, tenant.id, id)),
)

const getIntegration = query(integrationContracts.get, async ({ read, tenant }, { id }) =>
  toWire(await getSubscription(read, tenant.id, id, 'Integrator')),
)

const create = mutation(subscriptionContracts.create, (context, body) => subscribe(context, body, 'Admin'))
const createIntegration = mutation(integrationContracts.create, (context, body) =>
  subscribe(context, body, 'Integrator'),
)

interface SubscriptionBody {
  name?: string | null
  url: string
  eventTypes: string[]
  callbackScopes?: string[] | null
  secret?: string | null
}

async function subscribe(context: WriteContext, body: SubscriptionBody, origin: SubscriptionOrigin) {
  const { tx, tenant, sealer } = context
  refuseUnsound(context, body)
  await refuseUngrantable(context, body.callbackScopes ?? [], [])
  await takeName(tx, `webhook-subscriptions/${tenant.id}`)
  if ((await countSubscriptions(tx, tenant.id)) >= mostSubscriptions)
    throw new Problem(
      'webhook.too_many_subscriptions',
      'The tenant has 1,000 subscriptions, which is as many as it may.',
    )
  const { secret: given, ...fields } = body
  const [id, secret] = [newId(), given ?? newSecret()]
  const item = subscriptionKind.read({ ...fields, name: fields.name ?? new URL(fields.url).host, origin })
  const sealed_secrets = sealSecrets(sealer, { tenant_id: tenant.id, id }, [{ secret, until: null }])
  const row = await subscriptionKind.write(context, item, undefined, { id, verified_at: null, sealed_secrets })
  await insertStanding(tx, row)
  return { ...toWire({ ...row, last_delivery_at: null, consecutive_failures: 0 }), secret }
}

const update = mutation(subscriptionContracts.update, async (context, { id, status, ...body }) => {
  const { tx, tenant, now } = context
  await fanOutAll(tx, tenant.id)
  const row = await lockForChange(context, 'webhook_subscriptions', id, 'subscription')
  const isSwitch = status === 'Active' || status === 'Disabled'
  if (status && !isSwitch && status !== row.status)
    throw invalid([{ pointer: '/status', message: 'must be Active or Disabled, or the status that it has' }])
  refuseUnsound(context, body)
  const before = subscriptionKind.toItem(row, {})
  const after = subscriptionKind.read(body, before)
  const isMoved = after.url !== before.url
  // Whoever moves the endpoint is sent the tokens: it takes what handing them out takes.
  await refuseUngrantable(context, after.callbackScopes, isMoved ? [] : before.callbackScopes)
  const stand = planSwitch(
    { status: row.status, verifiedAt: row.verified_at },
    { isMoved, status: isSwitch ? status : undefined },
  )
  if ('refused' in stand)
    throw new Problem(stand.refused, 'Its endpoint has not passed the challenge; verify the subscription.')
  await subscriptionKind.write(
    context,
    { ...after, status: stand.status },
    { row, item: before },
    { verified_at: stand.verifiedAt, sealed_secrets: row.sealed_secrets },
  )
  if (stand.status === 'Active' && row.status !== 'Active') await resumeDeliveries(tx, row.id, now)
  await announce(tx)
  return toWire(await getSubscription(tx, tenant.id, row.id))
})

const remove = mutation(subscriptionContracts.delete, (context, { id }) => unsubscribe(context, id))
const removeIntegration = mutation(integrationContracts.delete, (context, { id }) =>
  unsubscribe(context, id, 'Integrator'),
)

async function unsubscribe(context: WriteContext, id: string, origin?: SubscriptionOrigin): Promise<undefined> {
  const { tx, now } = context
  const row = await lockForChange(context, 'webhook_subscriptions', id, 'subscription')
  if (origin !== undefined && row.origin !== origin) throw subscriptionNotFound()
  await softDelete(tx, 'webhook_subscriptions', stampOf(context), [row.id])
  await buryDeliveries(tx, row.id, now)
  await announce(tx)
  return undefined
}

const rotateSecret = mutation(subscriptionContracts.rotateSecret, async (context, { id, secret: given, overlap }) => {
  const { tx, sealer, now } = context
  const row = await lockForChange(context, 'webhook_subscriptions', id, 'subscription')
  refuseUnsound(context, { secret: given })
  // Those that do not open sign nothing any more, and a new one mends that.
  const secrets = openSecrets(sealer, row) ?? []
  const secret = given ?? newSecret()
  if (secrets[0]?.secret === secret) throw invalid([{ pointer: '/secret', message: 'is the present one already' }])
  const until = addDuration(now, overlap ?? usualOverlap)
  if (!(until - now <= longestOverlapMillis))
    throw invalid([{ pointer: '/overlap', message: 'must be at most 30 days' }])
  const sealed_secrets = sealSecrets(sealer, row, rotateSecrets(secrets, secret, now, until))
  await changeSubscription(tx, row, { sealed_secrets }, stampOf(context))
  await announce(tx)
  return { id: row.id, secret, previousUntil: toInstant(until) }
})

const testFire = mutation(subscriptionContracts.testFire, async (context, { id, eventType }) => {
  const { tx, now } = context
  const row = await lockForChange(context, 'webhook_subscriptions', id, 'subscription')
  refuseUnlessActive(row)
  const cause = { tenantId: row.tenant_id, now, actor: context.actor, correlationId: context.correlationId }
  const event = eventRow(cause, sampleOf(eventType))
  const delivery = pendingDelivery(event, row.id)
  await tx.insertInto('events').values(event).execute()
  await insertDeliveries(tx, [delivery])
  await announce(tx)
  return { eventId: event.id, deliveryId: delivery.id }
})

function refuseUnlessActive({ status }: SubscriptionRow): void {
  if (status === 'Active') return
  throw new Problem('catalog.invalid_transition', `The subscription is ${status}; only an Active one is sent events.`)
}

/** Who is told of which events, and where. */
export const subscriptionProcedures = { list, get, create, update, delete: remove, rotateSecret, testFire }

/** The subscriptions of integrators. */
export const integrationProcedures = { create: createIntegration, get: getIntegration, delete: removeIntegration }
