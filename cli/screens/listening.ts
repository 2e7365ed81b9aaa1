import { paint } from '../colour.ts'
import { envWords } from '../environments/choosing.ts'
import { wantsJson } from '../global-switches.ts'
import { withoutSecrets } from '../held-secrets.ts'
import { printDocument } from '../json-document.ts'
import type { SubscriptionTeller } from '../tasks/webhook-passing-subscription.ts'
import { visible } from '../visible-text.ts'
import type { Heard } from '../webhook-listening/answering.ts'
import { heardDocument, heardLine } from './heard.ts'

/** Tells of a listener: what it hears on stdout, how it gets on and what to do next on stderr. */
interface ListeningTeller extends SubscriptionTeller {
  listening(url: string): void
  heard(heard: Heard): void
}

/** A teller whose lines on stdout are words, or with `--json` a JSON object each. */
export function listeningTeller(): ListeningTeller {
  const colours = paint(process.stdout)
  const say = (line: string) => void process.stderr.write(`${visible(withoutSecrets(line))}\n`)
  return {
    listening(url) {
      if (wantsJson()) printDocument({ event: 'listening', url })
      say(`Listening at ${url} until Ctrl-C.`)
    },
    heard(heard) {
      if (wantsJson()) printDocument(heardDocument(heard))
      else process.stdout.write(`${withoutSecrets(heardLine(heard, colours))}\n`)
    },
    subscribed: ({ id, eventTypes }) =>
      say(`Subscribed to ${eventTypes.join(' ')} as ${id}; it is removed when this ends.`),
    verified({ id, url, eventTypes }, { name }) {
      if (wantsJson()) printDocument({ event: 'subscribed', subscriptionId: id, url, eventTypes })
      say(`${url} has passed its challenge: events come from now on.`)
      say(`Next: licet webhook test-fire ${id} Entitlement.Activated${envWords(name)}`)
    },
    removed: (id) => say(`Removed the subscription ${id}.`),
    warn: (message) => say(`Warning: ${message}`),
  }
}
