import type { Subscription } from '../tasks/tenant-records.ts'
import { instantWords, relativeWords } from '../time-words.ts'
import type { Canvas } from './canvas.ts'
import { factLines } from './license.ts'
import { stackedTable } from './stacking.ts'

/** Subscriptions, one a row: where each sends what, and how it fares. `now` in milliseconds. */
export function subscriptionListLines(subscriptions: readonly Subscription[], now: number, canvas: Canvas): string[] {
  const rows = subscriptions.map((subscription) => {
    const { id, name, url, eventTypes, status, lastDeliveryAt, consecutiveFailures } = subscription
    const last = lastDeliveryAt === null ? 'never' : relativeWords(Date.parse(lastDeliveryAt), now)
    const events = eventTypes.join(' ')
    return {
      cells: [id, name, url, status, events, last, consecutiveFailures],
      head: `${id}  ${name}`,
      below: [
        status,
        url,
        events,
        `last delivery ${last}`,
        consecutiveFailures === 0 ? null : `${consecutiveFailures} failures in a row`,
      ],
    }
  })
  return stackedTable(['SUBSCRIPTION', 'NAME', 'URL', 'STATUS', 'EVENTS', 'LAST DELIVERY', 'FAILURES'], rows, canvas)
}

/** One subscription, all but its secret. `now` in milliseconds. */
export function subscriptionLines(subscription: Subscription, now: number): string[] {
  const { filter, signatureProfile, origin, lastDeliveryAt, consecutiveFailures } = subscription
  const attributes = Object.entries(filter.attributes).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return factLines([
    ['subscription', subscription.id],
    ['name', subscription.name],
    ['url', subscription.url],
    ['status', subscription.status],
    ['events', subscription.eventTypes.join(' ')],
    ['entity kinds', filter.entityKinds.join(' ')],
    ['severities', filter.severities.join(' ')],
    ['attributes', attributes.join(' ')],
    ['callback scopes', subscription.callbackScopes.join(' ')],
    ['signed as', signatureProfile],
    ['made by', origin === 'Admin' ? null : origin],
    ['last delivery', lastDeliveryAt === null ? 'never' : instantWords(Date.parse(lastDeliveryAt), now)],
    ['failures in a row', consecutiveFailures === 0 ? null : String(consecutiveFailures)],
    ['made', instantWords(Date.parse(subscription.createdAt), now)],
  ])
}
