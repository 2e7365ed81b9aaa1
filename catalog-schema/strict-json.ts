import { exactNumber } from './numeric.ts'

/** One number as RFC 8259 §6 writes it. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The bytes are not one strict JSON text. `message` completes the sentence "the body …" and quotes at most a refused key. */
export class MalformedJson extends Error {
  override name = 'MalformedJson'
}

/**
 * The value of exactly one JSON text (RFC 8259): UTF-8 without byte order mark, NUL or lone surrogates, no key twice or
 * named `__proto__`, numbers finite, arrays and objects at most `maxDepth` deep and four million in all (more would take
 * gigabytes). Anything else throws MalformedJson.
 * A number whose decimal digits a double would round comes back as the string of its source text (with a small `e`, as
 * numeric strings have it), so that whoever checks the field decides about the exact number.
 */
export function parseStrictJson(bytes: Uint8Array, { maxDepth = 64 } = {}): unknown {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw new MalformedJson('starts with a byte order mark')
  const text = decode(bytes)
  const { members, inexact } = scan(bytes, text, maxDepth)
  const value = parse(inexact.length === 0 ? text : decode(quoteSpans(bytes, inexact)))
  if (inexact.length > 0 && typeof value === 'object' && value !== null) rounded.set(value, parse(text))
  const checkTexts = text.includes('\\u') || text.includes('__proto__')
  if (countMembers(value, checkTexts) !== members) throw new MalformedJson(nameDuplicateKey(text))
  return value
}

const rounded = new WeakMap<object, unknown>()

/**
 * A parsed object or list with every number as the double that JSON.parse makes of it, where that is not what it has itself:
 * whoever checks the fields tells by it that a number is no text. Undefined where all are alike.
 */
export const asRounded = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? rounded.get(value) : undefined

const mostContainers = 4_000_000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array) {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new MalformedJson('is not UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedJson('is not JSON')
  }
}

type Span = { start: number; end: number }

const [quote, backslash, minus, nine, colon, largeE, smallE] = [0x22, 0x5c, 0x2d, 0x39, 0x3a, 0x45, 0x65]
const numberPart = new Uint8Array(256)
const exponentMark = 2
for (const character of '0123456789.+-') numberPart[character.charCodeAt(0)] = 1
for (const character of 'eE') numberPart[character.charCodeAt(0)] = exponentMark

/** One pass outside strings, before anything recursive sees the text: how many members, how deep, and which numbers a double would round. */
function scan(bytes: Uint8Array, text: string, maxDepth: number) {
  const inexact: Span[] = []
  let members = 0
  let depth = 0
  let containers = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = endOfString(bytes, at)
    else if (byte === colon) members++
    // In ASCII `[`, `]` and `{`, `}` differ by one bit.
    else if ((byte | 0x20) === 0x7b) {
      if (++depth > maxDepth) throw new MalformedJson(`is nested deeper than ${maxDepth} levels`)
      if (++containers > mostContainers) throw new MalformedJson('holds more than four million objects and lists')
    } else if ((byte | 0x20) === 0x7d) depth--
    else if (byte >= minus && byte <= nine) {
      const start = at
      let exponent = 0
      for (at++; at < bytes.length && numberPart[bytes[at]!]! > 0; at++)
        if (numberPart[bytes[at]!] === exponentMark) exponent = at
      // Up to 15 digits and a power of ten of two characters always survive a double.
      const plain = exponent === 0 ? at - start < 16 : exponent - start < 16 && at - exponent < 4
      if (!plain && isRounded(bytes, text, start, at)) inexact.push({ start, end: at })
      at--
    }
  }
  return { members, inexact }
}

/** The closing quote of the string that opens at `at`, or the end of the bytes; long strings are searched natively. */
function endOfString(bytes: Uint8Array, at: number) {
  const near = Math.min(at + 40, bytes.length)
  for (at++; at < near; at++) {
    const byte = bytes[at]
    if (byte === quote) return at
    if (byte === backslash) at++
  }
  for (;;) {
    at = bytes.indexOf(quote, at)
    if (at === -1) return bytes.length
    let unescaped = at
    while (bytes[unescaped - 1] === backslash) unescaped--
    if ((at - unescaped) % 2 === 0) return at
    at++
  }
}

/** Numbers that stand where only a key may are left for JSON.parse to refuse: quoted they would become one. */
function isRounded(bytes: Uint8Array, text: string, start: number, end: number) {
  const token = text.length === bytes.length ? text.slice(start, end) : decode(bytes.subarray(start, end))
  const double = Number(token)
  if (String(double) === token || !jsonNumber.test(token)) return false
  if (!Number.isFinite(double)) throw new MalformedJson('holds a number that is not finite')
  let next = end
  while (bytes[next] === 0x20 || bytes[next] === 0x09 || bytes[next] === 0x0a || bytes[next] === 0x0d) next++
  return bytes[next] !== colon && exactNumber(token) === undefined
}

function quoteSpans(bytes: Uint8Array, spans: Span[]) {
  const quoted = new Uint8Array(bytes.length + 2 * spans.length)
  let from = 0
  let to = 0
  for (const { start, end } of spans) {
    quoted.set(bytes.subarray(from, start), to)
    to += start - from
    quoted[to++] = quote
    for (let at = start; at < end; at++) quoted[to++] = bytes[at] === largeE ? smallE : bytes[at]!
    quoted[to++] = quote
    from = end
  }
  quoted.set(bytes.subarray(from), to)
  return quoted
}

/** Members of all objects within; fewer than colons in the text means that a key stood twice. */
function countMembers(value: unknown, checkTexts: boolean): number {
  if (checkTexts && typeof value === 'string') checkText(value)
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (checkTexts || typeof item === 'object') count += countMembers(item, checkTexts)
    }
    return count
  }
  const members = value as Record<string, unknown>
  // JSON.parse makes plain objects: nothing inherited is enumerable, and for…in takes a third of the time of Object.keys.
  for (const key in members) {
    count++
    if (checkTexts) checkKey(key)
    const member = members[key]
    if (checkTexts || typeof member === 'object') count += countMembers(member, checkTexts)
  }
  return count
}

function checkKey(key: string) {
  if (key === '__proto__') throw new MalformedJson('holds the key "__proto__"')
  checkText(key)
}

function checkText(text: string) {
  if (text.includes('\0')) throw new MalformedJson('holds the character NUL')
  if (!text.isWellFormed()) throw new MalformedJson('holds a lone surrogate')
}

/** Only for a text known to be JSON and to hold a key twice. */
function nameDuplicateKey(text: string) {
  const objects: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') objects.push(new Set())
    else if (character === '}' || character === ']') objects.pop()
    else if (character === '"') {
      const start = at
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
      if (!isFollowedByColon(text, at + 1)) continue
      const key = JSON.parse(text.slice(start, at + 1)) as string
      if (objects.at(-1)?.has(key)) return `holds the key ${JSON.stringify(key.slice(0, 80))} twice in one object`
      objects.at(-1)?.add(key)
    }
  }
  return 'holds a key twice in one object'
}

function isFollowedByColon(text: string, at: number) {
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at++
  return text[at] === ':'
}
