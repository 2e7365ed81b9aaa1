import { jsonIn } from '../../licenses/license-file.ts'
import { envelopeOrder } from '../envelope.ts'
import type { Headers } from '../header-reading.ts'
import { keyOf } from '../signing.ts'
import type { SigningSecret } from '../signing-secrets.ts'
import { readStamp } from '../stamps.ts'
import { longestTried, type SignedParts } from './finding.ts'
import { isCompact } from './json-layouts.ts'
import type { HintCode } from './near-miss.ts'
import { signatureForms } from './signature-forms.ts'

/** What looks wrong with a delivery without any proof that it is; `secret` is a place, from 1. */
export interface Suspicion {
  code: HintCode
  message: string
  secret?: number
}

/** What looks wrong with headers of which some that are needed are missing. */
export const suspectHeaders = (headers: Headers): Suspicion[] =>
  [...headers.keys()].some((name) => name.startsWith('svix-'))
    ? [
        {
          code: 'other_headers',
          message:
            'There are svix- headers in their place, as Svix sends them. licet sends webhook-id, webhook-timestamp and webhook-signature: was it licet that sent this?',
        },
      ]
    : []

/**
 * What looks wrong with a delivery that no near miss explains: never nothing. That its secret is another is always possible,
 * unless nothing was there to compare.
 */
export function suspect(parts: SignedParts, secrets: readonly SigningSecret[]): Suspicion[] {
  const { body, contentLength, timestamp, signature, id, envelopeId } = parts
  const found: Suspicion[] = []
  const say = (code: HintCode, message: string, secret?: number) =>
    found.push({ code, message, ...(secret !== undefined && { secret }) })
  for (const [at, { text }] of secrets.entries())
    if (!keyOf(text))
      say('secret_malformed', `Secret ${at + 1} is cut off: after whsec_ stands no padded base64.`, at + 1)
  const isCompared = found.length < secrets.length && signatureForms(signature).length > 0
  if (signatureForms(signature).length === 0)
    say('signature_malformed', 'webhook-signature holds nothing of the form v1, and 44 characters of base64.')
  if (!readStamp(timestamp))
    say(
      'timestamp_form',
      'The timestamp is neither RFC 3339 in whole seconds of UTC nor Unix seconds: it looks as if it was written again.',
    )
  if (envelopeId !== null && envelopeId !== id)
    say(
      'id_of_another',
      'The envelope has another id than webhook-id: it looks as if headers and body are of two deliveries.',
    )
  found.push(...suspectBody(body, contentLength))
  if (!isCompared) return found
  const untried = body.length > longestTried ? ` Near misses are not looked for beyond ${longestTried} bytes.` : ''
  say(
    'wrong_secret',
    `${found.length > 0 ? 'Or it' : 'It'} was signed with another secret, or the body, id or timestamp is another than was signed. Compare the secret with the one of this subscription (webhook-subscription), and whether it was rotated.${untried}`,
  )
  return found
}

function suspectBody(body: Buffer, contentLength: number | null): Suspicion[] {
  if (body.length === 0)
    return [
      {
        code: 'body_empty',
        message: 'The body is empty: it looks as if the stream had been read before it was saved.',
      },
    ]
  const text = body.toString('utf8')
  const value = body.length > longestTried ? {} : jsonIn(text)
  if (contentLength !== null && contentLength > body.length)
    return [
      {
        code: 'body_truncated',
        message: `It looks as if the body is cut off: it has ${body.length} bytes, and content-length counts ${contentLength}.`,
      },
    ]
  if (value === undefined && isCutOff(text))
    return [{ code: 'body_truncated', message: 'It looks as if the body is cut off: it ends before its JSON does.' }]
  if (contentLength !== null && contentLength < body.length)
    return [
      {
        code: 'body_longer',
        message: `It looks as if the body was changed: it has ${body.length} bytes, and content-length counts ${contentLength}.`,
      },
    ]
  if (value === undefined || isAsSent(text, value)) return []
  return [
    {
      code: 'body_reserialised',
      message:
        'It looks as if the body was parsed and written again: a delivery is JSON without blanks that begins with specversion, id and source. Keep the raw bytes of the request.',
    },
  ]
}

/** Whether a text that is no JSON begins as an object or a list and ends within it. */
function isCutOff(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInString && character === '\\') at++
    else if (character === '"') isInString = !isInString
    else if (!isInString && (character === '{' || character === '[')) depth++
    else if (!isInString && (character === '}' || character === ']')) depth--
  }
  return isInString || depth > 0
}

/** Whether an envelope is laid out as it is sent: without blanks, its keys in their order. What is no envelope may be laid out in any way. */
function isAsSent(text: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('specversion' in value)) return true
  const keys = Object.keys(value)
  const sent = envelopeOrder.filter((key) => keys.includes(key))
  return isCompact(text) && sent.every((key, at) => key === keys[at])
}
