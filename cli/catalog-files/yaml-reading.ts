import { EVENT_ID, parseEvents, YAMLException } from 'js-yaml'
import { isObject } from '../json-objects.ts'
import { type Composed, composeDocument, type KeysInOrder, maxDepth, tooDeep } from './composing.ts'
import { decodeText, printableJson } from './decoding.ts'
import { settleInexact } from './inexact-numbers.ts'
import { findPlaceNotJson } from './json-place.ts'
import type { Lines } from './lines.ts'
import { indexLines } from './lines.ts'
import type { Located } from './locating.ts'
import { createLocator, pointersOf } from './locating.ts'
import { refuseConflicts } from './merge-conflicts.ts'
import type { NodeTable } from './node-table.ts'
import { createNodeTable } from './node-table.ts'
import type { Refusal, Refuse } from './refusals.ts'
import { collectRefusals } from './refusals.ts'

/** A catalog file as it was read; its value is only to be used when nothing was refused. */
export interface Reading {
  value: Record<string, unknown>
  text: string
  lines: Lines
  /** The nodes of the document, for those that go through all of it. */
  nodes: NodeTable
  refusals: Refusal[]
  /** Where the node of an RFC 6901 pointer stands. */
  locate(pointer: string): Located
  /** A node as it is written, quotes and all: tells `1.10` from `1.1`; undefined for a node that is not there. */
  sourceOf(pointer: string): string | undefined
  /** The pointers of plain scalars that read as a number or boolean which would be written otherwise (`1.10`, `TRUE`). */
  findReworded(): string[]
  /** The keys, as they are written, of mappings of its value whose own order is another. */
  keysInOrder: KeysInOrder
}

/**
 * Reads one document of YAML 1.2 (core schema) whose top level is a mapping, or JSON, which is read by the same rules
 * and must also satisfy RFC 8259; a text is read as the file that it would be. An empty file of YAML is an empty mapping.
 * Raises nothing: what is wrong is in `refusals`.
 */
export function readCatalogText(written: Uint8Array | string, syntax: 'yaml' | 'json' = 'yaml'): Reading {
  const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : written
  const { text, refusals: encoding } = decodeText(bytes, syntax)
  const lines = indexLines(text)
  const { refusals, refuse } = collectRefusals(lines)
  refusals.push(...encoding)
  const isWhole = encoding.length === 0 && !refuseConflicts(text, refuse)
  const parsed = !isWhole ? undefined : parseDocument(text, syntax, lines, refuse)
  if (parsed !== undefined && syntax === 'json' && refusals.length === 0) refuseNotJson(text, refuse, true)
  const nodes = parsed?.table ?? createNodeTable(0)
  const locate = createLocator(text, nodes, lines)
  return {
    value: parsed?.value ?? {},
    text,
    lines,
    nodes,
    refusals,
    locate,
    sourceOf: (pointer) => {
      const located = locate(pointer)
      return located.found ? located.source : undefined
    },
    findReworded: () => (parsed === undefined ? [] : pointersOf(text, parsed.table, parsed.reworded)),
    keysInOrder: parsed?.keysInOrder ?? new Map(),
  }
}

function parseDocument(
  text: string,
  syntax: 'yaml' | 'json',
  lines: Lines,
  refuse: Refuse,
): (Pick<Composed, 'table' | 'reworded' | 'keysInOrder'> & { value: Record<string, unknown> }) | undefined {
  try {
    // The events say where scalars stand, not what they hold.
    const events = parseEvents(syntax === 'json' ? printableJson(text) : text, { maxDepth: maxDepth + 1 })
    if (events[0]?.type === EVENT_ID.DOCUMENT && events[0].directives.length > 0) refuseDirective(text, refuse)
    const composed = composeDocument(text, events, lines, refuse)
    const { value, table, end, hasMoreDocuments, keysInOrder } = composed
    const kept = settleInexact(text, composed, refuse)
    const more = { reworded: composed.reworded.filter((node) => !kept.has(node)), keysInOrder }
    if (hasMoreDocuments) refuseSecondDocument(text, end, refuse)
    if (isObject(value)) return { value, table, ...more }
    const isEmpty = table.count === 0 || (table.count === 1 && table.form[0] === 0)
    if (isEmpty) return { value: {}, table, ...more }
    const message =
      'A catalog file is a mapping from section names (products, plans, …) to lists; this is something else.'
    refuse('not-a-mapping', table.start[0]!, table.start[0]! + 1, message)
    return undefined
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    if (syntax === 'yaml' || !refuseNotJson(text, refuse, false)) refuseSyntax(text, error, refuse)
    return undefined
  }
}

function refuseDirective(text: string, refuse: Refuse): void {
  const start = text.search(/^%/m)
  const message = 'Directives (%YAML, %TAG) are not read; remove the line and the --- after it.'
  refuse('directive', start, start + 1, message)
}

function refuseSecondDocument(text: string, from: number, refuse: Refuse): void {
  const marker = /^(?:---|\.\.\.)(?=\s|$)/gm
  marker.lastIndex = from
  const start = marker.exec(text)?.index ?? from
  refuse('multiple-documents', start, start + 3, 'A file holds one document; put the rest into a file of its own.')
}

function refuseSyntax(text: string, error: YAMLException, refuse: Refuse): void {
  const offset = offsetOf(error, text)
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1
  const tab = /^ *\t/.exec(text.slice(lineStart))
  if (error.reason.startsWith('nesting exceeded')) refuse('too-deep', offset, offset + 1, tooDeep)
  else if (/^deficient indentation$|quoted scalar$/.test(error.reason)) refuseUnended(text, offset, refuse)
  else if (tab !== null) {
    const place = lineStart + tab[0].length - 1
    refuse('tab-indentation', place, place + 1, 'A tab is used as indentation; use blanks.')
  } else if (/^:\s/.test(text.slice(offset, offset + 2)) && /:\s/.test(text.slice(lineStart, offset)))
    refuse('syntax', offset, offset + 1, 'This is not YAML: a text with ": " in it stands between quotes.')
  else if (/[@`%]/.test(text.charAt(offset)))
    refuse(
      'syntax',
      offset,
      offset + 1,
      `This is not YAML: a text that begins with ${text.charAt(offset)} stands between quotes.`,
    )
  else refuse('syntax', offset, offset + 1, `This is not YAML: ${error.reason}.`)
}

const offsetOf = (error: YAMLException, text: string) => Math.min(error.mark?.position ?? 0, text.length)

/** What does not go on where its text ends, or is not indented as it must: told at the quote that is still open there. */
function refuseUnended(text: string, offset: number, refuse: Refuse): void {
  const quote = findOpenQuote(text.slice(0, offset).trimEnd())
  if (quote === undefined)
    refuse('syntax', offset, offset + 1, 'This is not YAML: what goes on here must be indented deeper than its key.')
  else {
    const message =
      text.slice(offset).trim() === ''
        ? 'This is not YAML: the text that begins here has no closing quote.'
        : `This is not YAML: the text that begins here has no closing quote before line ${indexLines(text).at(offset).line}, which is not indented deeper than its key.`
    refuse('syntax', quote, quote + 1, message)
  }
}

/** The offset of the quote that is open where a text is cut off; undefined where none is. */
function findOpenQuote(text: string): number | undefined {
  try {
    parseEvents(text, { maxDepth: maxDepth + 1 })
  } catch (error) {
    const [, kind] = (error instanceof YAMLException && /a (single|double) quoted scalar$/.exec(error.reason)) || []
    // Behind the open quote the same mark stands escaped only: doubled, or after a backslash.
    const openings = kind === 'double' ? /(?<=(?<!\\)(?:\\\\)*)"/g : /(?<!')'(?:'')*(?!')/g
    if (kind !== undefined) return [...text.matchAll(openings)].at(-1)?.index
  }
  return undefined
}

/** Whether a text is not JSON, which is refused then; `isYaml` where YAML found nothing wanting. */
function refuseNotJson(text: string, refuse: Refuse, isYaml: boolean): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    const [, reason] = /^SyntaxError: (.+?)(?: in JSON)? at position \d+/.exec(String(error)) ?? []
    const isCutOff = /end of JSON input$/.test(String(error))
    const place = isCutOff ? text.trimEnd().length : findPlaceNotJson(text)
    refuse('not-json', place, place + 1, notJson(text, reason, isCutOff, isYaml))
    return true
  }
}

function notJson(text: string, reason: string | undefined, isCutOff: boolean, isYaml: boolean): string {
  if (text.trim() === '') return 'An empty file is not JSON; write {}, or remove the file.'
  if (isYaml) return 'This is YAML but not JSON; correct it, or name the file .yaml.'
  if (isCutOff) return 'This is not JSON: it ends too early.'
  return reason === undefined ? 'This is not JSON.' : `This is not JSON: ${reason[0]!.toLowerCase()}${reason.slice(1)}.`
}
