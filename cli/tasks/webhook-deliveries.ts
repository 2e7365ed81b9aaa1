import { setTimeout as sleep } from 'node:timers/promises'
import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { fitsName, isOneOf } from '../sieve-terms.ts'
import { type DeliveryRecord, type DeliveryWithAttempts, listFirst, webhooksClient } from './tenant-records.ts'

const readScope = 'webhooks.deliveries:read'
const updateScope = 'webhooks.deliveries:update'

/** Which deliveries are meant; what is absent narrows nothing. */
export interface DeliveryQuery {
  subscription?: string | undefined
  status?: DeliveryRecord['status'] | undefined
  /** A type, or `Prefix.*`. */
  event?: string | undefined
  /** Made at this instant or later. */
  since?: string | undefined
}

/** The deliveries that are meant, the newest first, at most `limit` of them, and how many there are. */
export const listDeliveries = (
  environment: ChosenEnvironment,
  query: DeliveryQuery,
  limit: number,
): Promise<{ items: DeliveryRecord[]; total: number }> =>
  duringPhase(`Reading from ${environmentName(environment)}`, () => {
    const { list } = webhooksClient(environment, [readScope]).deliveries
    const filter = filterOf(query)
    return listFirst(limit, (page) => list.query({ ...(filter && { filter }), sortOrder: '-createdAt', ...page }))
  })

/** A delivery with its event and every attempt. */
export const getDelivery = (environment: ChosenEnvironment, id: string): Promise<DeliveryWithAttempts> =>
  duringPhase(`Reading from ${environmentName(environment)}`, () =>
    webhooksClient(environment, [readScope]).deliveries.get.query({ id }),
  )

/** Has a dead letter delivered again, with a fresh budget of attempts; a refusal says what can be requeued, and what is sent anew otherwise. */
export const requeueDelivery = (environment: ChosenEnvironment, id: string): Promise<DeliveryRecord> =>
  duringPhase(`Requeueing it in ${environmentName(environment)}`, () =>
    webhooksClient(environment, [updateScope])
      .deliveries.requeue.mutate({ id })
      .catch((error: unknown) => {
        throw error instanceof Problem && error.codeName === 'catalog.invalid_transition' ? notRequeued(error) : error
      }),
  )

const notRequeued = ({ codeName, message, details }: Problem) =>
  new Problem(codeName, message, {
    ...details,
    hint: 'licet webhook deliveries --status DeadLettered lists what can be; a challenge is sent anew by "licet webhook check SUBSCRIPTION"',
  })

/** Has every dead letter of a subscription delivered again that was given up at an instant or later. */
export const requeueDeliveries = (
  environment: ChosenEnvironment,
  which: { subscriptionId: string; since: string },
): Promise<{ requeued: number }> =>
  duringPhase(`Requeueing in ${environmentName(environment)}`, () =>
    webhooksClient(environment, [updateScope]).deliveries.requeueSince.mutate(which),
  )

const firstPauseMs = 200
const longestPauseMs = 2000

/** Waits until a delivery is over, at most so long; it may be pending still then. `hear` is told of it whenever an attempt was made. */
export const awaitDelivery = (
  environment: ChosenEnvironment,
  id: string,
  timeoutMs: number,
  hear: (delivery: DeliveryWithAttempts) => void,
): Promise<DeliveryWithAttempts> =>
  duringPhase('Waiting for the delivery', async () => {
    const { get } = webhooksClient(environment, [readScope]).deliveries
    const end = Date.now() + timeoutMs
    let heard = 0
    for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 1.5)) {
      const delivery = await get.query({ id })
      if (delivery.attempts.length > heard) hear(delivery)
      heard = delivery.attempts.length
      if (delivery.status !== 'Pending' || Date.now() + pause > end) return delivery
      await sleep(pause)
    }
  })

/** A type of event, the beginning of types as `Entitlement.*`, or `*`. Raises cli.usage for any other text. */
export async function readEventPattern(text: string): Promise<string> {
  if (/^(?:\*|[A-Za-z]+(?:\.[A-Za-z]+)*(?:\.\*)?)$/.test(text)) return text
  throw new Problem('cli.usage', '--event is no type of event, nor the beginning of one.', {
    hint: "Entitlement.Activated, or 'Entitlement.*'; licet webhook events lists them",
  })
}

function filterOf({ subscription, status, event, since }: DeliveryQuery): string {
  return [
    subscription && isOneOf('subscriptionId', [subscription]),
    status && isOneOf('status', [status]),
    event && event !== '*' && fitsName('eventType', event),
    since && `createdAt>=${since}`,
  ]
    .filter(Boolean)
    .join(',')
}
