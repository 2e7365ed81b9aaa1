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
}

/**
 * The records of a text, a JSON array or JSON Lines (a record on each line), the lowest transactionId first. Raises
 * cli.input, with every place, for what is no JSON object or has no whole transactionId.
 */
export function readRecords(text: string, name: string): TransactionRecord[] {
  const pieces = text.trimStart().startsWith('[') ? arrayPieces(text, name) : linePieces(text)
  const read = pieces.map((piece) => ({ ...piece, transactionId: transactionIdIn(piece.text) }))
  const wrong = read.filter(({ transactionId }) => transactionId === undefined)
  if (wrong.length > 0)
    throw new Problem('cli.input', `${name} holds what is no transaction record. Nothing was uploaded.`, {
      hint: 'a JSON array or JSON Lines of { transactionId, creationDateTime, eventName, eventData, … }',
      errors: wrong.map(({ line }) => ({
        key: `${name}:${line}`,
        message: 'no JSON object with a transactionId that is a whole number',
      })),
    })
  return read
    .flatMap(({ transactionId, ...piece }) => (transactionId === undefined ? [] : [{ ...piece, transactionId }]))
    .sort((a, b) => a.transactionId - b.transactionId)
}

/** A number, or the text of one, as the server takes it. */
function transactionIdIn(text: string): number | undefined {
  const value = jsonIn(text)
  const written = isObject(value) ? value.transactionId : undefined
  const id = typeof written === 'string' ? exactNumber(written) : written
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

interface Piece {
  text: string
  line: number
}

const linePieces = (text: string): Piece[] =>
  text
    .split('\n')
    .map((line, at) => ({ text: line.trim(), line: at + 1 }))
    .filter((piece) => piece.text !== '')

/** The elements of a JSON array, each with the line where it begins. */
function arrayPieces(text: string, name: string): Piece[] {
  if (!Array.isArray(jsonIn(text))) throw new Problem('cli.input', `${name} begins like a JSON array and is none.`)
  const pieces: Piece[] = []
  let line = 1
  let depth = 0
  let begun: { at: number; line: number } | undefined
  const end = (at: number) => {
    if (begun) pieces.push({ text: text.slice(begun.at, at).trim(), line: begun.line })
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
