import type { Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml'
import { COLLECTION_STYLE, EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml'
import { findKeyRefusal } from './accepted-keys.ts'
import { findEscapeRefusal } from './escapes.ts'
import type { Lines } from './lines.ts'
import { findMember, skipBlanks, writtenRange } from './locating.ts'
import type { NodeForm, NodeTable } from './node-table.ts'
import { addNode, closeNode, createNodeTable, nodeForm } from './node-table.ts'
import type { Refuse } from './refusals.ts'
import { findScalarRefusal, isPlainSpelling, resolvePlain } from './scalars.ts'

/** The deepest nesting of lists and mappings that is accepted. */
export const maxDepth = 64

/** What to say of a node that is nested deeper than `maxDepth`. */
export const tooDeep = `Lists and mappings are nested deeper than ${maxDepth} levels here; flatten them.`

/** The value of the first document, the places of its nodes, and whether another document follows. */
export interface Composed {
  value: unknown
  table: NodeTable
  /** The offset after the first document's last node. */
  end: number
  hasMoreDocuments: boolean
  /** The plain scalars that read as a number or boolean which would be written otherwise: `1.10`, `0x1F`, `TRUE`. */
  reworded: number[]
  /** Those of them that have more digits than the number which they read as. */
  inexact: number[]
  /** The keys, as they are written, of the mappings that have keys of digits alone: JavaScript puts those first. */
  keysInOrder: KeysInOrder
}

export type KeysInOrder = ReadonlyMap<object, readonly string[]>

interface Frame {
  node: number
  list: unknown[] | undefined
  mapping: Record<string, unknown> | undefined
  /** The key that waits for its value; undefined while a key is expected, null when the pair is left out. */
  key: string | null | undefined
}

/**
 * Builds the value of the first document from parser events, noting each node's place. What the accepted subset leaves
 * out (aliases, anchors, tags, merge keys, keys twice, keys that are not text, numbers that surprise) is refused and
 * passed over, so that one reading finds all of it; whether a number that loses digits may stand is for the field to say.
 */
export function composeDocument(source: string, events: readonly Event[], lines: Lines, refuse: Refuse): Composed {
  const table = createNodeTable(events.length)
  const frames: Frame[] = []
  const reworded: number[] = []
  const inexact: number[] = []
  const keysInOrder = new Map<object, string[]>()
  let frame: Frame | undefined
  let value: unknown = null
  let documents = 0
  let end = 0

  const place = (child: unknown) => {
    if (frame === undefined) value = child
    else if (frame.list !== undefined) frame.list.push(child)
    else if (frame.key === undefined) {
      refuse('complex-key', table.start[table.count - 1]!, end, 'A key must be plain text, not a list or a mapping.')
      frame.key = null
    } else {
      if (frame.key !== null) {
        const mapping = frame.mapping!
        if (isDigits(frame.key) && !keysInOrder.has(mapping)) keysInOrder.set(mapping, Object.keys(mapping))
        keysInOrder.get(mapping)?.push(frame.key)
        mapping[frame.key] = child
      }
      frame.key = undefined
    }
  }

  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.SCALAR: {
        const isEmpty = event.valueStart < 0
        const start = isEmpty ? end : event.valueStart
        const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
        const text = event.fast ? source.slice(event.valueStart, event.valueEnd) : decodeScalar(source, event, refuse)
        if (!isEmpty) end = isQuoted ? event.valueEnd + 1 : event.valueEnd
        if (isQuoted && !mayFollow(source.charCodeAt(end))) refuse('syntax', end, end + 1, straggler)
        if (event.anchorStart >= 0 || event.tagStart >= 0) refuseProperties(event, refuse)
        const form = (isEmpty ? nodeForm.empty : event.style) as NodeForm
        const node = addNode(table, form, start, isEmpty ? start : event.valueEnd)
        if (frame?.mapping !== undefined && frame.key === undefined) {
          frame.key = acceptKey(source, event, text, frame.mapping) ? text : refuseKey(event, text, node, frame.node)
          break
        }
        if (event.style !== SCALAR_STYLE.PLAIN) place(text)
        else {
          const resolved = resolvePlain(text)
          if (typeof resolved !== 'string' && resolved !== null && !isPlainSpelling(text, resolved)) {
            reworded.push(node)
            const refused = findScalarRefusal(text)
            if (refused?.rule === 'lost-digits') inexact.push(node)
            else if (refused) refuse(refused.rule, event.valueStart, event.valueEnd, refused.message)
          }
          place(resolved)
        }
        break
      }
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE: {
        if (event.anchorStart >= 0 || event.tagStart >= 0) refuseProperties(event, refuse)
        const isMapping = event.type === EVENT_ID.MAPPING
        const node = addNode(table, isMapping ? nodeForm.mapping : nodeForm.sequence, event.start, event.start)
        end = event.style === COLLECTION_STYLE.FLOW ? event.start + 1 : event.start
        const mapping: Record<string, unknown> | undefined = isMapping ? {} : undefined
        const list: unknown[] | undefined = isMapping ? undefined : []
        place(mapping ?? list)
        frame = { node, list, mapping, key: undefined }
        if (frames.push(frame) === maxDepth + 1) refuse('too-deep', event.start, event.start + 1, tooDeep)
        break
      }
      case EVENT_ID.POP:
        if (frame !== undefined) {
          const closing = findClosing(source, table.start[frame.node]!, end)
          if (closing > 0) {
            end = closing
            if (!mayFollow(source.charCodeAt(end))) refuse('syntax', end, end + 1, straggler)
          }
          closeNode(table, frame.node, end)
          frames.pop()
          frame = frames[frames.length - 1]
        }
        break
      case EVENT_ID.ALIAS:
        refuse('alias', event.anchorStart - 1, event.anchorEnd, 'Aliases (*name) are not read; write the value out.')
        addNode(table, nodeForm.alias, event.anchorStart - 1, event.anchorEnd)
        end = event.anchorEnd
        if (frame?.mapping !== undefined && frame.key === undefined) frame.key = null
        else place(null)
        break
      case EVENT_ID.DOCUMENT:
        if (++documents > 1) return { value, table, end, hasMoreDocuments: true, reworded, inexact, keysInOrder }
        break
    }
  }
  return { value, table, end, hasMoreDocuments: false, reworded, inexact, keysInOrder }

  function refuseKey(event: ScalarEvent, text: string, node: number, mapping: number): null {
    const twice = () => {
      const first = lines.at(table.start[findMember(source, table, mapping, text)?.key ?? node]!)
      return `The key "${text}" occurs twice in this mapping, first in line ${first.line}; remove one of them.`
    }
    const [start, stop] = writtenRange(source, table, node)
    const refused = findKeyRefusal(source, event, text) ?? { rule: 'duplicate-key' as const, message: twice }
    refuse(refused.rule, start, stop, refused.message)
    return null
  }
}

/** Asked of every key, most of which begin with a letter. */
const isDigits = (key: string) => key.charCodeAt(0) <= 0x39 && /^\d+$/.test(key)

const straggler = 'This is not YAML: text follows a closing quote or bracket; put a line break or a comma between.'

/** Whether a character may stand right after a quoted scalar or a flow collection: the parser lets others through. */
function mayFollow(code: number): boolean {
  if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || Number.isNaN(code)) return true
  return code === 0x2c || code === 0x3a || code === 0x5d || code === 0x7d
}

/** The offset after a flow collection's closing bracket; -1 for a block collection. */
function findClosing(source: string, start: number, end: number): number {
  const opening = source.charCodeAt(start)
  const closing = opening === 0x5b ? 0x5d : opening === 0x7b ? 0x7d : undefined
  if (closing === undefined) return -1
  if (source.charCodeAt(end) === closing) return end + 1
  let last = skipBlanks(source, end)
  while (source[last] === ':' || source[last] === '?') last = skipBlanks(source, last + 1)
  return source.charCodeAt(last) === closing ? last + 1 : -1
}

function acceptKey(source: string, event: ScalarEvent, text: string, mapping: Record<string, unknown>): boolean {
  return (
    findKeyRefusal(source, event, text) === undefined && !(mapping[text] !== undefined && Object.hasOwn(mapping, text))
  )
}

function refuseProperties(event: ScalarEvent | MappingEvent | SequenceEvent, refuse: Refuse): void {
  if (event.anchorStart >= 0) {
    refuse('anchor', event.anchorStart - 1, event.anchorEnd, 'Anchors (&name) are not read; remove it.')
  }
  if (event.tagStart >= 0) {
    const message = 'Tags (!name) are not read; remove it, and quote the value if it is text.'
    refuse('tag', event.tagStart, event.tagEnd, message)
  }
}

function decodeScalar(source: string, event: ScalarEvent, refuse: Refuse): string {
  const text = getScalarValue(source, event)
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED) {
    const refused = findEscapeRefusal(source.slice(event.valueStart, event.valueEnd), text)
    if (refused !== undefined) refuse(refused.rule, event.valueStart - 1, event.valueEnd + 1, refused.message)
  }
  return text
}
