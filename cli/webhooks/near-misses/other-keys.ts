import { keyOf, secretPrefix } from '../signing.ts'
import type { SigningSecret } from '../signing-secrets.ts'
import type { Candidate, Deviation, HintCode } from './near-miss.ts'

type OtherKey = Candidate<Buffer> & { deviation: Deviation }

/** The HMAC keys that are made of a secret by mistake. */
export function otherKeys({ text, line }: SigningSecret): OtherKey[] {
  const rest = text.startsWith(secretPrefix) ? text.slice(secretPrefix.length) : undefined
  const exact = keyOf(text)
  const found = [
    ...(rest === undefined ? unprefixedKeys(text) : prefixedKeys(text, rest)),
    ...unwrappedKeys(text),
    ...[`${text}\n`, `${text}\r\n`, `${text} `, ` ${text}`, line].map((spaced) =>
      otherKey(
        utf8(spaced),
        'secret_blanks',
        'a blank or line break around the secret belongs to the key',
        'Trim what is read from a file or a variable: a secret has no blanks around it (printf %s, not echo).',
      ),
    ),
  ]
  return found.filter(({ value }) => value.length > 0 && !exact?.equals(value))
}

const prefixedKeys = (text: string, rest: string): OtherKey[] => [
  otherKey(utf8(text), 'secret_undecoded', 'the key is the text of the secret, whsec_ included', decode),
  otherKey(utf8(rest), 'secret_undecoded', 'the key is the text after whsec_, not decoded', decode),
  otherKey(
    Buffer.from(rest, 'base64'),
    'secret_malformed',
    'what follows whsec_ is decoded although it is not the base64 that it must be',
    'Copy the secret again, with the = at its end: after whsec_ stands padded base64, never base64url.',
  ),
]

function unprefixedKeys(text: string): OtherKey[] {
  const found: OtherKey[] = []
  if (/^[\w+/-]+=*$/.test(text))
    found.push(
      otherKey(
        Buffer.from(text, 'base64'),
        'secret_prefix',
        'the secret is decoded from base64, as if whsec_ stood before it',
        'Keep the secret whole, with its whsec_. One without it is used as it is: its UTF-8 bytes are the key.',
      ),
    )
  if (/^(?:[0-9a-f]{2})+$/i.test(text))
    found.push(
      otherKey(
        Buffer.from(text, 'hex'),
        'secret_hex',
        'the secret is decoded from hexadecimal',
        'A secret without whsec_ is used as it is: its UTF-8 bytes are the key.',
      ),
    )
  return found
}

/** Of a secret in quotes, or with the name of a variable before it. */
function unwrappedKeys(text: string): OtherKey[] {
  const plain = text.replace(/^(?:export )?\w+=/, '').replace(/^(["'])(.*)\1$/, '$2')
  const key = plain === text || plain === '' ? undefined : keyOf(plain)
  if (!key) return []
  const advice = 'Keep the secret alone on its line, without quotes and without the name of a variable.'
  return [otherKey(key, 'secret_wrapped', 'the secret is taken out of what stands around it', advice)]
}

const decode =
  'The key of a whsec_ secret is the base64-decoded rest after whsec_; only other secrets are used as text.'
const utf8 = (text: string) => Buffer.from(text, 'utf8')
const otherKey = (value: Buffer, code: HintCode, condition: string, advice: string): OtherKey => ({
  value,
  deviation: { code, condition, advice },
})
