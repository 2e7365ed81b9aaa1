import { jsonIn } from '../../licenses/license-file.ts'
import { envelopeOrder } from '../envelope.ts'

/** A JSON text as some serialiser would have written it, and how that differs, in words. */
export interface Layout {
  text: string
  words: string
}

/** A value of a JSON text: its scalars as they stand there, digit by digit, so that nothing is lost on the way. */
type Node = string | { items: Node[] } | { entries: [key: string, value: Node][] }

/** How a value is spread over a text: what stands between items, after a colon, and on each level of depth. */
interface Spacing {
  words: string
  comma: string
  colon: string
  indent: string
}

const spacings: Spacing[] = [
  { words: 'without blanks, as JSON.stringify does', comma: ',', colon: ':', indent: '' },
  { words: "with a blank after commas and colons, as Python's json.dumps does", comma: ', ', colon: ': ', indent: '' },
  { words: 'indented by two blanks', comma: ',', colon: ': ', indent: '  ' },
  { words: 'indented by four blanks', comma: ',', colon: ': ', indent: '    ' },
  { words: 'indented by tabs', comma: ',', colon: ': ', indent: '\t' },
]

const beyondAscii = /[\u007f-\uffff]/g
const unicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const upperUnicode = (character: string) => `\\u${unicode(character).slice(2).toUpperCase()}`
const plain = (token: string) => JSON.stringify(JSON.parse(token))
const ascii = (token: string) => plain(token).replace(beyondAscii, unicode)
const slashes = (token: string) => token.replaceAll('/', '\\/')

/** How a string token is written again; as it is, first. */
const escapings: { words: string; write: (token: string) => string }[] = [
  { words: '', write: (token) => token },
  { words: 'no character escaped without need', write: plain },
  { words: 'characters beyond ASCII escaped, as Python does', write: ascii },
  {
    words: 'slashes and characters beyond ASCII escaped, as PHP does',
    write: (token) => slashes(plain(token).replace(/[\u0080-\uffff]/g, unicode)),
  },
  { words: 'slashes escaped', write: (token) => slashes(plain(token)) },
  { words: '<, > and & escaped, as Go does', write: (token) => plain(token).replace(/[<>&\u2028\u2029]/g, unicode) },
  {
    words: '<, >, &, = and quotes escaped, as Gson does',
    write: (token) => plain(token).replace(/[<>&='\u2028\u2029]/g, unicode),
  },
  {
    words: 'what is special in HTML or beyond ASCII escaped, as .NET does',
    write: (token) =>
      `"${plain(token)
        .slice(1, -1)
        .replaceAll('\\"', '\\u0022')
        .replace(/[<>&'+`\u007f-\uffff]/g, upperUnicode)}"`,
  },
]

/** Deeper texts are not written again. */
const deepest = 100

/** The ways in which parsing a JSON text and writing it again can change it, the likelier first; none for a text that is no JSON. */
export function otherLayouts(text: string): Layout[] {
  const value = jsonIn(text)
  const root = value === undefined ? undefined : nodeOf(text)
  if (root === undefined) return []
  const found = new Map<string, string>()
  const add = (written: string, ...words: string[]) => {
    if (written === text || found.has(written)) return
    found.set(written, words.filter((word) => word !== '').join(', '))
  }
  add(JSON.stringify(value), 'as JSON.stringify(JSON.parse(body)) writes it')
  const orders: [Node, string][] = [
    [root, ''],
    [sorted(root), 'its keys sorted'],
    [asEnvelope(root), 'its keys in the order of an envelope'],
  ]
  for (const [node, order] of orders)
    for (const spacing of spacings)
      for (const { words, write } of escapings) {
        const written = writeNode(node, spacing, write)
        add(written, spacing.words, order, words)
        add(`${written}\n`, spacing.words, order, words, 'a line break after it')
      }
  return [...found].map(([written, words]) => ({ text: written, words }))
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** The value of a text that is sound JSON; undefined when it is too deep. */
function nodeOf(text: string): Node | undefined {
  const parts = text.match(tokens) ?? []
  let at = 0
  const read = (depth: number): Node => {
    if (depth > deepest) throw new RangeError('too deep')
    const token = parts[at++]!
    if (token !== '{' && token !== '[') return token
    const [items, entries]: [Node[], [string, Node][]] = [[], []]
    while (parts[at] !== '}' && parts[at] !== ']') {
      if (parts[at] === ',') at++
      if (token === '[') items.push(read(depth + 1))
      else {
        const key = parts[at]!
        at += 2
        entries.push([key, read(depth + 1)])
      }
    }
    at++
    return token === '[' ? { items } : { entries }
  }
  try {
    return read(0)
  } catch {
    return undefined
  }
}

function writeNode(node: Node, spacing: Spacing, string: (token: string) => string, depth = 0): string {
  if (typeof node === 'string') return node.startsWith('"') ? string(node) : node
  const [open, close] = 'items' in node ? '[]' : '{}'
  const inside = (value: Node) => writeNode(value, spacing, string, depth + 1)
  const parts =
    'items' in node
      ? node.items.map(inside)
      : node.entries.map(([key, value]) => `${string(key)}${spacing.colon}${inside(value)}`)
  if (parts.length === 0 || spacing.indent === '') return `${open}${parts.join(spacing.comma)}${close}`
  const line = `\n${spacing.indent.repeat(depth)}`
  return `${open}${line}${spacing.indent}${parts.join(`,${line}${spacing.indent}`)}${line}${close}`
}

function sorted(node: Node): Node {
  if (typeof node === 'string') return node
  if ('items' in node) return { items: node.items.map(sorted) }
  const entries = node.entries.map(([key, value]): [string, Node] => [key, sorted(value)])
  return { entries: entries.sort(([a], [b]) => (a.slice(1, -1) < b.slice(1, -1) ? -1 : 1)) }
}

function asEnvelope(node: Node): Node {
  if (typeof node === 'string' || 'items' in node) return node
  const rank = ([key]: [string, Node]) => {
    const place = envelopeOrder.indexOf(key.slice(1, -1))
    return place === -1 ? envelopeOrder.length : place
  }
  return { entries: [...node.entries].sort((a, b) => rank(a) - rank(b)) }
}
