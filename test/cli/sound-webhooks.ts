import { recordId as id } from './invocations.ts'

const createdAt = '2026-01-01T00:00:00Z'

const subscription = {
  ...{ id, name: 'CRM', url: 'https://crm.example/hooks', status: 'Active', origin: 'Admin' },
  ...{ eventTypes: ['*'], filter: { entityKinds: [], severities: [], attributes: {} }, callbackScopes: [] },
  ...{ signatureProfile: 'Default', lastDeliveryAt: null, consecutiveFailures: 0, createdAt },
}
const delivery = {
  ...{ id, subscriptionId: id, eventId: id, eventType: 'Entitlement.Activated', status: 'Delivered' },
  ...{ attemptCount: 1, lastStatus: 204, lastError: null, createdAt, nextAttemptAt: null, endedAt: createdAt },
}
const attempt = { attempt: 1, at: createdAt, latencyMillis: 5, status: 204, error: null, responseExcerpt: null }
const pageOf = (item: unknown) => ({ items: [item], totalCount: 1, hasNextPage: false })

/** What a tenant answers that has one subscription and one delivery. */
export const soundWebhooks = {
  queries: {
    'deliveries.get': { ...delivery, event: { id, type: 'Entitlement.Activated', data: {} }, attempts: [attempt] },
    'deliveries.list': pageOf(delivery),
    'subscriptions.get': subscription,
    'subscriptions.list': pageOf(subscription),
  },
  deeds: {
    'deliveries.requeue': { ...delivery, status: 'Pending' },
    'deliveries.requeueSince': { requeued: 1 },
    'subscriptions.create': { ...subscription, secret: 'whsec_c2hvd24gdGhpcyBvbmNl' },
    'subscriptions.delete': null,
    'subscriptions.testFire': { eventId: id, deliveryId: id },
    'subscriptions.verify': subscription,
  },
  schemas: {
    eventTypes: [
      {
        ...{
          type: 'Entitlement.Activated',
          entityKind: 'entitlement',
          eventVersion: 1,
          description: 'It becomes Active.',
        },
        ...{ dataSchema: { type: 'object', properties: {} }, example: {} },
      },
    ],
  },
}
