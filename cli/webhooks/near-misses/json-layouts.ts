import { jsonIn } from '../../licenses/license-file.ts'
import { envelopeOrder } from '../envelope.ts'
import { type Spacing, serialisers } from './json-serialisers.ts'

/** A JSON text as some serialiser would have written it, and how that differs, in words. */
export interface Layout {
  text: string
  words: string
}

/** A value of a JSON text: its scalars as they stand there, digit by digit, so that nothing is lost on the way. */
type Node = string | { items: Node[] } | { entries: [key: string, value: Node][] }

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
  add(JSON.stringify(value), 'as JSON.stringify(JSON.parse(body)) does')
  const orders = [
    { node: root, words: '' },
    { node: sorted(root), words: 'its keys sorted' },
    { node: asEnvelope(root), words: 'its keys in the order of an envelope' },
  ]
  for (const { number, string, spacings, words: manner } of serialisers) {
    const scalar = remembered((token) => (isNumber(token) ? number(token) : isString(token) ? string(token) : token))
    for (const { node, words: order } of orders)
      for (const spacing of spacings) {
        const written = writeNode(node, spacing, scalar)
        add(written, spacing.words, manner, order)
        add(`${written}\n`, spacing.words, manner, order, 'a line break after it')
      }
  }
  return [...found].map(([written, words]) => ({ text: written, words }))
}

const isString = (token: string) => token.startsWith('"')
const isNumber = (token: string) => /^[-\d]/.test(token)

function remembered(write: (token: string) => string): (token: string) => string {
  const known = new Map<string, string>()
  return (token) => {
    const written = known.get(token) ?? write(token)
    known.set(token, written)
    return written
  }
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Whether nothing stands between the tokens of a text that is sound JSON. */
export const isCompact = (text: string) => (text.match(tokens) ?? []).join('') === text

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

function writeNode(node: Node, spacing: Spacing, scalar: (token: string) => string, depth = 0): string {
  if (typeof node === 'string') return scalar(node)
  const [open, close] = 'items' in node ? ['[', ']'] : ['{', '}']
  const inside = (value: Node) => writeNode(value, spacing, scalar, depth + 1)
  const parts =
    'items' in node
      ? node.items.map(inside)
      : node.entries.map(([key, value]) => `${scalar(key)}${spacing.colon}${inside(value)}`)
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
