import { answerDeliveries, type Heard } from '../webhook-listening/answering.ts'
import { type Ending, heedEnding } from '../webhook-listening/ending.ts'
import { type Receiver, startReceiver } from '../webhook-listening/receiver.ts'
import type { SigningSecret } from '../webhooks/signing-secrets.ts'

/** Where is listened, by which secrets deliveries are known, where they are handed on to, and who is told of them. */
export interface Listening {
  host: string
  port: number
  secrets: readonly SigningSecret[]
  forwardTo: URL | undefined
  hear: (heard: Heard) => void
  warn: (message: string) => void
}

/**
 * Receives deliveries as long as `during` takes, which knows where is listened and is told when to stop; it is not begun
 * when that is before. A mistake of ours in answering one of them is warned of, and raised at the end: the others are
 * answered all the same.
 */
export async function listenForWebhooks(
  listening: Listening,
  during: (url: string, ending: Ending) => Promise<void>,
): Promise<void> {
  const ending = heedEnding()
  let bug: { error: unknown } | undefined
  let receiver: Receiver | undefined
  try {
    receiver = await startReceiver(listening, answerDeliveries(listening, listening.hear), (error) => {
      if (!bug) listening.warn('A delivery was answered 500 because of a bug in licet; it is told of when this ends.')
      bug ??= { error }
    })
    if (!ending.signal.aborted) await during(receiver.url, ending)
    if (bug) throw bug.error
  } finally {
    await receiver?.close()
    ending.close()
  }
}
