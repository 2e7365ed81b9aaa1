import { normalInstant } from '../../../catalog-schema/instant.ts'
import type { Candidate, Deviation } from './near-miss.ts'

type OtherText = Candidate<string> & { deviation: Deviation }

/** What is signed before the body by mistake, in the place of `id.timestamp.`; `envelopeId` is the id that the body gives itself. */
export function otherPrefixes(id: string, timestamp: string, envelopeId: string | null): OtherText[] {
  const parts = (value: string, condition: string): OtherText => ({
    value,
    deviation: { code: 'signed_parts', condition, advice: signed },
  })
  return [
    ...otherStamps(timestamp).map(({ text, words }) => ({
      value: `${id}.${text}.`,
      deviation: { code: 'timestamp_form' as const, condition: `the timestamp is ${text} (${words})`, advice: asItIs },
    })),
    {
      value: `${timestamp}.${id}.`,
      deviation: {
        code: 'id_timestamp_swapped',
        condition: 'webhook-id and webhook-timestamp change places',
        advice: signed,
      },
    },
    ...otherIds(id, envelopeId).map((other) => ({ ...other, value: `${other.value}.${timestamp}.` })),
    parts('', 'the body alone is signed'),
    parts(`${timestamp}.`, 'timestamp.body is signed, without the id'),
    parts(`${id}.`, 'id.body is signed, without the timestamp'),
    parts(`${id}.${timestamp}`, 'the dot before the body is left out'),
    parts(`${id}${timestamp}`, 'both dots are left out'),
  ]
}

/** The id that belongs to a body, where it is not the one that came with it. */
export const otherIds = (id: string, envelopeId: string | null): OtherText[] =>
  envelopeId === null || envelopeId === id
    ? []
    : [
        {
          value: envelopeId,
          deviation: {
            code: 'id_of_another',
            condition: `webhook-id is ${envelopeId.slice(0, 100)}, the id of the envelope`,
            advice:
              'webhook-id is missing or of another delivery: take all headers from the request that brought the body.',
          },
        },
      ]

/** The other ways to write the instant that a timestamp names in any form, and what each is called. */
function otherStamps(timestamp: string): { text: string; words: string }[] {
  const at = instantOf(timestamp)
  if (at === undefined) return []
  const instant = new Date(at).toISOString()
  const second = instant.slice(0, 19)
  return [
    { text: `${second}Z`, words: 'RFC 3339, the Default profile' },
    { text: `${Math.floor(at / 1000)}`, words: 'Unix seconds, the profile StandardWebhooks' },
    { text: `${at}`, words: 'Unix milliseconds' },
    { text: instant, words: 'RFC 3339 with milliseconds' },
    { text: `${second}+00:00`, words: 'RFC 3339 with an offset' },
    { text: `${second}.000000+00:00`, words: 'RFC 3339 with microseconds and an offset' },
    { text: `${second}.0000000Z`, words: 'RFC 3339 with a fraction' },
    { text: `${at / 1000}`, words: 'Unix seconds with a fraction' },
    { text: `${Math.floor(at / 1000)}.0`, words: 'Unix seconds with a fraction' },
  ].filter(({ text }) => text !== timestamp)
}

/** The instant (milliseconds) that a timestamp names: RFC 3339 of any form, Unix seconds or milliseconds; undefined for other texts. */
function instantOf(timestamp: string): number | undefined {
  const instant = normalInstant(timestamp)
  if (instant !== undefined) return Date.parse(instant)
  if (!/^\d{1,13}(?:\.\d{1,6})?$/.test(timestamp)) return undefined
  const number = Number(timestamp)
  const at = Math.floor(number < firstMillis ? number * 1000 : number)
  return at <= Date.parse('9999-12-31T23:59:59Z') ? at : undefined
}

/** Numbers from here on (1973 in milliseconds, 5138 in seconds) are milliseconds. */
const firstMillis = 100_000_000_000

const signed = 'What is signed is webhook-id, a dot, webhook-timestamp, a dot and the body, in this order.'
const asItIs =
  'Sign and verify the text of the header as it is, never a parsed date written again. A subscription of the profile Default sends RFC 3339, one of StandardWebhooks Unix seconds.'
