import { counted } from '../counting.ts'
import { fitText } from '../fitting.ts'
import type { DeliveryRecord, DeliveryWithAttempts } from '../tasks/tenant-records.ts'
import { instantWords, momentWords, relativeWords } from '../time-words.ts'
import { visible, visibleJson } from '../visible-text.ts'
import type { Canvas } from './canvas.ts'
import { durationWords } from './heard.ts'
import { factLines } from './license.ts'
import { stackedTable } from './stacking.ts'

/** Deliveries, one a row: what to whom, how it stands, and how the last attempt went. `now` in milliseconds. */
export function deliveryListLines(deliveries: readonly DeliveryRecord[], now: number, canvas: Canvas): string[] {
  const rows = deliveries.map((delivery) => {
    const { id, createdAt, eventType, status, attemptCount, subscriptionId, nextAttemptAt } = delivery
    const at = momentWords(createdAt)
    const next = nextAttemptAt === null ? null : relativeWords(Date.parse(nextAttemptAt), now)
    return {
      cells: [id, at, eventType, status, attemptCount, lastWords(delivery), next, subscriptionId],
      head: `${id}  ${eventType}`,
      below: [
        status,
        at,
        counted(attemptCount, 'attempt'),
        lastWords(delivery),
        next === null ? null : `next attempt ${next}`,
        `subscription ${subscriptionId}`,
      ],
    }
  })
  return stackedTable(['DELIVERY', 'MADE', 'EVENT', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT', 'SUBSCRIPTION'], rows, canvas)
}

/** How its last attempt ended: the HTTP status, or why there was none. */
const lastWords = ({ lastStatus, lastError }: DeliveryRecord) =>
  lastStatus === null ? lastError && fitText(lastError, 40) : String(lastStatus)

/** One delivery: how it stands, every attempt with what the endpoint said, and the event that it delivers. `now` in milliseconds. */
export function deliveryLines(delivery: DeliveryWithAttempts, now: number, canvas: Canvas): string[] {
  const { event, attempts, nextAttemptAt, endedAt } = delivery
  return [
    ...factLines([
      ['delivery', delivery.id],
      ['event', `${delivery.eventType} ${delivery.eventId}`],
      ['correlation', delivery.correlationId],
      ['subscription', delivery.subscriptionId],
      ['status', delivery.status],
      ['made', instantWords(Date.parse(delivery.createdAt), now)],
      ['next attempt', nextAttemptAt === null ? null : instantWords(Date.parse(nextAttemptAt), now)],
      ['ended', endedAt === null ? null : instantWords(Date.parse(endedAt), now)],
    ]),
    ...(attempts.length === 0 ? [] : ['', ...attemptLines(attempts, canvas)]),
    '',
    ...visibleJson(JSON.stringify(event, null, 2)).split('\n'),
  ]
}

/** The attempts, oldest first, what the endpoint said below each that says something. */
export function attemptLines(attempts: DeliveryWithAttempts['attempts'], { colours, width }: Canvas): string[] {
  return attempts.flatMap(({ attempt, at, latencyMillis, status, error, responseExcerpt }) => {
    const outcome = error ?? 'delivered'
    const words = [
      momentWords(at),
      `attempt ${attempt}`,
      status === null ? null : String(status),
      durationWords(latencyMillis),
      visible(outcome),
    ]
    const line = words.filter((word) => word !== null).join('  ')
    const said = responseExcerpt === null || responseExcerpt === '' ? [] : responseExcerpt.trimEnd().split('\n')
    return [
      error === null ? colours.green(line) : colours.red(line),
      ...said.map((text) => colours.dim(fitText(`    ${visible(text)}`, width))),
    ]
  })
}

/** How a delivery that was waited for stands. */
export function outcomeLine({ status, nextAttemptAt }: DeliveryWithAttempts, now: number): string {
  if (status === 'Delivered') return 'Delivered.'
  if (status === 'DeadLettered') return 'Dead-lettered: there are no further attempts.'
  const next =
    nextAttemptAt === null ? '' : `; the next attempt is due ${relativeWords(Date.parse(nextAttemptAt), now)}`
  return `Still pending${next}.`
}
