import type { Paint } from '../colour.ts'
import { momentWords } from '../time-words.ts'
import { visible } from '../visible-text.ts'
import type { Heard } from '../webhook-listening/answering.ts'
import type { Delivery } from '../webhook-listening/judging.ts'

/** What came, on one line: when, of which type and about what, then what is particular about it. */
export function heardLine(heard: Heard, colours: Paint): string {
  const at = momentWords(new Date(heard.at).toISOString())
  if (heard.kind === 'refusal') {
    const { reason, type, id } = heard.refusal
    const what = [type, id].filter((part) => part !== null).map((part) => part.slice(0, 100))
    return `${at}  ${colours.red('REFUSED')}  ${visible([...what, reason].join('  '))}`
  }
  const { delivery } = heard
  const { type, attempt, isTest, latencyMillis } = delivery
  const isAgain = heard.kind === 'delivery' && heard.isAgain
  const parts = [
    at,
    colours.bold(visible(type)),
    visible(aboutWords(delivery)),
    isTest ? colours.cyan('TEST') : null,
    attempt === null || attempt === 1 ? null : `attempt ${attempt}`,
    isAgain ? colours.yellow('again') : null,
    latencyMillis === null ? null : durationWords(latencyMillis),
    heard.kind === 'challenge' ? colours.green('answered') : forwardedWords(heard.forwarded, colours),
  ]
  return parts.filter((part) => part !== null && part !== '').join('  ')
}

/** The same as one JSON object; its keys always in this order. */
export function heardDocument(heard: Heard) {
  const receivedAt = new Date(heard.at).toISOString()
  if (heard.kind === 'refusal') {
    const { id, type, status, reason } = heard.refusal
    return { event: 'refusal', receivedAt, id, type, status, reason }
  }
  const { id, type, attempt, isTest, latencyMillis, subscriptionId, envelope } = heard.delivery
  const common = { receivedAt, id, type, subscriptionId, attempt, isTest, latencyMillis }
  if (heard.kind === 'challenge') return { event: 'challenge', ...common, envelope }
  return { event: 'delivery', ...common, isAgain: heard.isAgain, forwarded: heard.forwarded, envelope }
}

/** The record that it is about, and the subject where that says something else. */
function aboutWords({ subject, entityKind, entityId }: Delivery): string {
  const entity = [entityKind, entityId].filter((part) => part !== null).join(' ')
  return subject === null || subject === entityId ? entity : [entity, subject].join(', ')
}

function forwardedWords(forwarded: Extract<Heard, { kind: 'delivery' }>['forwarded'], colours: Paint): string | null {
  if (forwarded === null) return null
  const { status, error, millis } = forwarded
  if (status === null) return colours.red(`→ ${visible(error ?? '')}`)
  const words = `→ ${status} in ${durationWords(millis)}`
  return status >= 200 && status < 300 ? colours.green(words) : colours.red(words)
}

/** Milliseconds as a person reads them. */
export const durationWords = (millis: number) => (millis < 10_000 ? `${millis} ms` : `${Math.round(millis / 1000)} s`)
