import type { SigningSecret } from '../webhooks/signing-secrets.ts'
import { type Forwarded, forwardDelivery } from './forwarding.ts'
import { answerToChallenge, type Delivery, judgeDelivery, type Refusal } from './judging.ts'
import type { Received, Reply } from './receiver.ts'
import { rememberIds } from './remembering.ts'

/** What came, and what was made of it. */
export type Heard = { at: number } & (
  | { kind: 'refusal'; refusal: Refusal }
  | { kind: 'challenge'; delivery: Delivery }
  | { kind: 'delivery'; delivery: Delivery; isAgain: boolean; forwarded: Forwarded | null }
)

/** Explaining a refusal can take seconds: whoever sends nonsense must not keep the others waiting. */
const explanationPauseMs = 10_000

/**
 * Answers deliveries: a challenge with its signed echo, another one with 204 or what the endpoint behind says, and what is
 * not signed by any of the secrets, or not a moment ago, with 401. `hear` is told of each.
 */
export function answerDeliveries(
  { secrets, forwardTo }: { secrets: readonly SigningSecret[]; forwardTo: URL | undefined },
  hear: (heard: Heard) => void,
): (received: Received) => Promise<Reply> {
  const isKnown = rememberIds()
  let explainedAt = 0
  return async (received) => {
    const { at, headers } = received
    const judged = judgeDelivery(received, secrets, at - explainedAt > explanationPauseMs)
    if ('reason' in judged) {
      if (at - explainedAt > explanationPauseMs) explainedAt = Date.now()
      hear({ kind: 'refusal', at, refusal: judged })
      return { status: judged.status, body: `Refused by licet webhook listen. ${judged.reason}\n` }
    }
    const answer = answerToChallenge(judged, headers['webhook-timestamp']!)
    if (answer) {
      hear({ kind: 'challenge', at, delivery: judged })
      const { body, signature } = answer
      return { status: 200, headers: { 'content-type': 'application/json', 'webhook-signature': signature }, body }
    }
    const isAgain = isKnown(judged.id)
    const handed = forwardTo && (await forwardDelivery(forwardTo, received))
    hear({ kind: 'delivery', at, delivery: judged, isAgain, forwarded: handed?.forwarded ?? null })
    return handed?.reply ?? { status: 204 }
  }
}
