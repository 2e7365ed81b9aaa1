import { type Static, Type } from 'typebox'
import { NullableDuration, NullableText, OneOf, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract } from '../../kit/contract.ts'
import { Instant, NullInstant, recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf, withoutDefaults } from '../../kit/records/body.ts'
import { type EventType, events } from '../../vocabulary/events.ts'
import { givenFields, subscriptionKind } from './fields.ts'
import { listedFields } from './listed-fields.ts'
import { subscriptionStatuses } from './status.ts'

const path = '/api/v1/webhooks/admin/subscriptions'
const integratorPath = '/api/v1/webhooks/integrator/subscriptions'

const recordFields = {
  ...recordId,
  ...subscriptionKind.fields,
  lastDeliveryAt: NullInstant('When its endpoint last took a delivery.'),
  consecutiveFailures: Type.Integer({ description: 'Attempts that failed since.' }),
  ...recordTail,
}

/** A subscription as it is answered: never with its secret. */
export const SubscriptionRecord = Closed(recordFields, { description: 'Who is told of which events, and where.' })
export type SubscriptionRecord = Static<typeof SubscriptionRecord>

const SubscriptionWithSecret = Closed({
  ...recordFields,
  secret: Type.String({ description: 'What signs its deliveries; shown this once.' }),
})

const secret = NullableText(256, {
  description:
    'What signs its deliveries: 16 to 256 printable ASCII characters; what follows `whsec_` is the key in base64. One is made when none is given.',
})

const creating = {
  method: 'POST',
  description:
    'It starts as PendingVerification: nothing is sent until `verify` has found its endpoint to be what it says. The answer holds the secret, which is shown this once.',
  body: bodyOf({ ...givenFields, secret }, ['url', 'eventTypes']),
  answer: SubscriptionWithSecret,
  problems: ['auth.insufficient_scope', 'webhook.too_many_subscriptions'],
} as const

const reading = {
  method: 'GET',
  params: idParams,
  answer: SubscriptionRecord,
  problems: ['license.record_not_found'],
} as const

const changing = { params: idParams, problems: ['license.record_not_found', 'request.precondition_failed'] } as const

const deleting = {
  ...changing,
  method: 'DELETE',
  description: 'What is pending for it is given up at once.',
} as const

const verifying = {
  method: 'POST',
  params: idParams,
  answer: SubscriptionRecord,
  problems: [...changing.problems, 'webhook.verification_failed', 'catalog.invalid_transition'],
} as const

export const subscriptionContracts = {
  list: contract({
    name: 'webhooks.subscriptions.list',
    method: 'GET',
    path,
    access: 'webhooks.subscriptions:read',
    summary: 'List webhook subscriptions',
    query: listQuery,
    answer: pageOf(SubscriptionRecord),
    filterable: listedFields.map(({ name }) => name),
  }),
  create: contract({
    ...creating,
    name: 'webhooks.subscriptions.create',
    path,
    access: 'webhooks.subscriptions:create',
    summary: 'Subscribe an endpoint to events',
  }),
  get: contract({
    ...reading,
    name: 'webhooks.subscriptions.get',
    path: `${path}/{id}`,
    access: 'webhooks.subscriptions:read',
    summary: 'Read a webhook subscription',
  }),
  update: contract({
    ...changing,
    name: 'webhooks.subscriptions.update',
    method: 'PATCH',
    path: `${path}/{id}`,
    access: 'webhooks.subscriptions:update',
    summary: 'Change fields of a webhook subscription, or switch it off and on',
    description:
      'Fields that are absent or null stay as they are; a list, and the attributes of the filter, replace the stored ones. Another URL makes it PendingVerification. While it is not Active its pending deliveries wait, and what happens meanwhile is not for it.',
    body: withoutDefaults(
      bodyOf({
        ...givenFields,
        status: OneOf(subscriptionStatuses, {
          description:
            'Active or Disabled, or the status that it has, which changes nothing. Only one whose endpoint is verified can be Active.',
        }),
      }),
    ),
    answer: SubscriptionRecord,
    problems: [...changing.problems, 'auth.insufficient_scope', 'catalog.invalid_transition'],
  }),
  delete: contract({
    ...deleting,
    name: 'webhooks.subscriptions.delete',
    path: `${path}/{id}`,
    access: 'webhooks.subscriptions:delete',
    summary: 'Delete a webhook subscription',
  }),
  rotateSecret: contract({
    ...changing,
    name: 'webhooks.subscriptions.rotateSecret',
    method: 'POST',
    path: `${path}/{id}/secret`,
    access: 'webhooks.subscriptions:update',
    summary: 'Give a webhook subscription a new secret',
    description:
      'Both secrets sign for the overlap: a day unless told, at most 30; PT0S ends all others at once. At most ten sign at the same time.',
    body: bodyOf({ secret, overlap: NullableDuration() }),
    answer: Closed({
      ...recordId,
      secret: Type.String({ description: 'What signs from now on; shown this once.' }),
      previousUntil: Instant('Until when the secret before it signs, too.'),
    }),
    securityEvent: 'webhook_secret_rotated',
  }),
  testFire: contract({
    name: 'webhooks.subscriptions.testFire',
    method: 'POST',
    path: `${path}/{id}/test-fire`,
    access: 'webhooks.subscriptions:update',
    summary: 'Send a sample event',
    description:
      'An event with sample data and `_test: true` goes to this subscription alone, whatever events it wants, the way that all events go.',
    params: idParams,
    body: Closed({
      eventType: OneOf(Object.keys(events) as EventType[], { description: 'Which kind of event.' }),
    }),
    answer: Closed({
      eventId: Uuid({ description: 'The id that the delivery carries as webhook-id.' }),
      deliveryId: Uuid({ description: 'The id under which its attempts can be read.' }),
    }),
    problems: ['license.record_not_found', 'request.precondition_failed', 'catalog.invalid_transition'],
  }),
  verify: contract({
    ...verifying,
    name: 'webhooks.subscriptions.verify',
    path: `${path}/{id}/verify`,
    access: 'webhooks.subscriptions:update',
    summary: 'Verify the endpoint of a webhook subscription',
    description:
      "Posts a `Webhooks.Registration.Challenge` and waits for the answer: 2xx with a JSON object that holds the same `challenge`, and a `webhook-signature` over the request's webhook-id and webhook-timestamp and the answer's own body. One that passes is Active, whatever it was before; one that fails stays as it is.",
  }),
}

/** The same for integrators, who see none but the subscriptions of integrators. */
export const integrationContracts = {
  create: contract({
    ...creating,
    name: 'webhooks.integrations.create',
    path: integratorPath,
    access: 'webhooks.integrations:create',
    summary: 'Subscribe an endpoint of an integrator to events',
  }),
  get: contract({
    ...reading,
    name: 'webhooks.integrations.get',
    path: `${integratorPath}/{id}`,
    access: 'webhooks.integrations:read',
    summary: 'Read a webhook subscription of an integrator',
  }),
  delete: contract({
    ...deleting,
    name: 'webhooks.integrations.delete',
    path: `${integratorPath}/{id}`,
    access: 'webhooks.integrations:delete',
    summary: 'Delete a webhook subscription of an integrator',
  }),
  verify: contract({
    ...verifying,
    name: 'webhooks.integrations.verify',
    path: `${integratorPath}/{id}/verify`,
    access: 'webhooks.integrations:update',
    summary: 'Verify the endpoint of a webhook subscription of an integrator',
    description: 'Posts a `Webhooks.Registration.Challenge`; any 2xx passes.',
  }),
}
