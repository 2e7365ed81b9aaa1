import { type Static, Type } from 'typebox'
import { OneOf, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract } from '../../kit/contract.ts'
import { Instant, NullInstant, NullWords } from '../../kit/records/answers.ts'
import { events } from '../../vocabulary/events.ts'
import { deliveryFilterFields } from './filter-fields.ts'
import { deliveryStatuses } from './status.ts'

const path = '/api/v1/webhooks/admin/deliveries'
const one = `${path}/{id}`

const NullStatus = (description: string) => Type.Unsafe<number | null>({ type: ['integer', 'null'], description })

const recordFields = {
  id: Uuid({ description: 'The id of the delivery.' }),
  subscriptionId: Uuid({ description: 'The subscription that it is for.' }),
  eventId: Uuid({ description: 'The event that it tells of: the webhook-id header.' }),
  eventType: Type.String({ description: 'The type of that event.' }),
  status: OneOf(deliveryStatuses, {
    description: 'Pending until an endpoint took it (Delivered) or it was given up (DeadLettered).',
  }),
  attemptCount: Type.Integer({ description: 'How many attempts were made since it was queued, or queued anew.' }),
  lastStatus: NullStatus('What the endpoint answered last, as an HTTP status; null without an answer.'),
  lastError: NullWords('What went wrong with the last attempt; null when nothing did.'),
  createdAt: Instant('When it was queued.'),
  nextAttemptAt: NullInstant('When the next attempt is due, if the subscription is active; null when it is over.'),
  endedAt: NullInstant('When it was delivered or given up; null before.'),
}

const DeliveryRecord = Closed(recordFields)
export type DeliveryRecord = Static<typeof DeliveryRecord>

const Attempt = Closed({
  attempt: Type.Integer({
    description: 'Which it was since the delivery was queued: the header webhook-delivery-attempt.',
  }),
  at: Instant('When it was made.'),
  latencyMillis: Type.Integer({ description: 'How long the answer took.' }),
  status: NullStatus('The HTTP status of the answer; null without one.'),
  error: NullWords('What went wrong; null when nothing did.'),
  responseExcerpt: NullWords("The beginning of the answer's body, at most 2 KiB."),
})

const DeliveryWithAttempts = Closed({
  ...recordFields,
  correlationId: Type.String({
    description: 'The X-Correlation-Id of the request in which the event happened, as the log and the audit name it.',
  }),
  event: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'What is sent: the whole envelope.' }),
  attempts: Type.Array(Attempt, { description: 'The last hundred attempts, the oldest first.' }),
})

/** What narrows the list, for who does not write a filter: each is a term beside those of `filter`. */
const narrowing = {
  subscriptionId: Type.Optional(Uuid({ description: 'Only those of this subscription.' })),
  status: Type.Optional(OneOf(deliveryStatuses, { description: 'Only those that stand like this.' })),
  eventType: Type.Optional(OneOf(Object.keys(events), { description: 'Only those of events of this type.' })),
}
const deliveryListQuery = Closed({ ...listQuery.properties, ...narrowing })
export type DeliveryListQuery = Static<typeof deliveryListQuery>

const name = 'webhooks.deliveries'
const requeued = 'with a whole new budget of attempts; the first is due at once'

export const deliveryContracts = {
  list: contract({
    name: `${name}.list`,
    method: 'GET',
    path,
    access: 'webhooks.deliveries:read',
    summary: 'List deliveries',
    description:
      'The newest first, unless a sortOrder says otherwise. `subscriptionId`, `status` and `eventType` narrow it as terms of `filter` do.',
    query: deliveryListQuery,
    answer: pageOf(DeliveryRecord),
    filterable: deliveryFilterFields.map((field) => field.name),
  }),
  get: contract({
    name: `${name}.get`,
    method: 'GET',
    path: one,
    access: 'webhooks.deliveries:read',
    summary: 'Read a delivery with its event and its attempts',
    params: idParams,
    answer: DeliveryWithAttempts,
    problems: ['license.record_not_found'],
  }),
  requeue: contract({
    name: `${name}.requeue`,
    method: 'POST',
    path: `${one}/requeue`,
    access: 'webhooks.deliveries:update',
    summary: 'Queue a dead letter anew',
    description: `It is tried again ${requeued}. A subscription that is not active gets it once it is.`,
    params: idParams,
    answer: DeliveryRecord,
    problems: ['license.record_not_found', 'catalog.invalid_transition'],
  }),
  requeueSince: contract({
    name: `${name}.requeueSince`,
    method: 'POST',
    path: `${path}/requeue`,
    access: 'webhooks.deliveries:update',
    summary: 'Queue the dead letters of a subscription anew',
    description: `Those that were given up at an instant or later are tried again ${requeued}.`,
    body: Closed({
      subscriptionId: Uuid({ description: 'The subscription whose dead letters they are.' }),
      since: Type.Unsafe<string>({
        type: 'string',
        maxLength: 40,
        'x-instant': true,
        description: 'From when on they were given up.',
      }),
    }),
    answer: Closed({ requeued: Type.Integer({ description: 'How many were queued anew.' }) }),
    problems: ['license.record_not_found'],
  }),
}
