import { exactNumber } from '../../catalog-schema/numeric.ts'
import { isObject } from '../licenses/canonical-base64.ts'
import { jsonIn } from '../licenses/license-file.ts'
import { Problem } from '../problems.ts'

/** A client transaction record of a file. */
export interface TransactionRecord {
  transactionId: number
  /** As it stands in the file: what is uploaded has every digit that was written. */
  text: string
  /** Where it begins; the first line is 1. */
  line: number
  /** Which element of a JSON array it is, the first being 0; null where each record has a line of its own. */
  index: number | null
}

/** The place of a record for people: `usage.json:1 [3]`, its index in brackets where it stands in a JSON array. */
export const placeWords = (name: string, { line, index }: { line: number | null; index: number | null }) =>
  `${name}:${line ?? '?'}${index === null ? '' : ` [${index}]`}`

/** What stands where a record should: nothing of it can be uploaded. */
export type Unreadable = Pick<TransactionRecord, 'line' | 'index'>

/** What is said of it. */
export const unreadableWords = 'no JSON object with a transactionId that is a whole number'

/** The most places of what is no record that are told where there is nothing else. */
const mostWrong = 20

/**
 * The records of a text, a JSON array or JSON Lines (a record on each line), the lowest transactionId first, and the places of
 * what is no JSON object or has no whole transactionId. Raises cli.input, with the first of these places and how many there
 * are, where there is no record among them.
 */
export function readRecords(text: string, name: string): { records: TransactionRecord[]; unreadable: Unreadable[] } {
  const pieces = text.trimStart().startsWith('[') ? arrayPieces(text, name) : linePieces(text)
  const records: TransactionRecord[] = []
  const unreadable: Unreadable[] = []
  for (const piece of pieces) {
    const transactionId = transactionIdIn(piece.text)
    if (transactionId === undefined) unreadable.push(piece)
    else records.push({ ...piece, transactionId })
  }
  if (unreadable.length > 0 && records.length === 0) throw noRecords(unreadable, name)
  return { records: records.sort((a, b) => a.transactionId - b.transactionId), unreadable }
}

function noRecords(unreadable: readonly Unreadable[], name: string): Problem {
  const count = unreadable.length
  const more = count > mostWrong ? ` at ${count} places, of which these are the first ${mostWrong}` : ''
  return new Problem('cli.input', `${name} holds what is no transaction record${more}. Nothing was uploaded.`, {
    hint: 'a JSON array or JSON Lines of { transactionId, creationDateTime, eventName, eventData, … }',
    errors: unreadable.slice(0, mostWrong).map((place) => ({ key: placeWords(name, place), message: unreadableWords })),
  })
}

/** A number, or the text of one, as the server takes it. */
function transactionIdIn(text: string): number | undefined {
  const value = jsonIn(text)
  const written = isObject(value) ? value.transactionId : undefined
  const id = typeof written === 'string' ? exactNumber(written) : written
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

type Piece = Omit<TransactionRecord, 'transactionId'>

const linePieces = (text: string): Piece[] =>
  text
    .split('\n')
    .map((line, at) => ({ text: line.trim(), line: at + 1, index: null }))
    .filter((piece) => piece.text !== '')

/** The elements of a JSON array, each with the line where it begins and its index. */
function arrayPieces(text: string, name: string): Piece[] {
  if (!Array.isArray(jsonIn(text))) throw new Problem('cli.input', `${name} begins like a JSON array and is none.`)
  const pieces: Piece[] = []
  let line = 1
  let depth = 0
  let begun: { at: number; line: number } | undefined
  const end = (at: number) => {
    if (begun) pieces.push({ text: text.slice(begun.at, at).trim(), line: begun.line, index: pieces.length })
    begun = undefined
  }
  for (const { 0: token, index: at } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},\n]|[^\s[\]{},"]+/g)) {
    if (token === '\n') line++
    else if (depth === 1 && (token === ',' || token === ']')) end(at)
    else if (depth > 0) begun ??= { at, line }
    if (token === '[' || token === '{') depth++
    if (token === ']' || token === '}') depth--
  }
  return pieces
}
