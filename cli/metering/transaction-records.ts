import { exactNumber } from '../../catalog-schema/numeric.ts'
import { MalformedJson, parseStrictJson } from '../../catalog-schema/strict-json.ts'
import { isObject } from '../json-objects.ts'
import { jsonIn } from '../licenses/license-file.ts'
import { Problem } from '../problems.ts'
import { mostRecordBytes } from './batches.ts'

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

/** What stands where a record should: nothing of it can be uploaded, and why. */
export interface Unreadable extends Pick<TransactionRecord, 'line' | 'index'> {
  message: string
}

/** What is said of what is no record at all. */
const noRecordWords = 'no JSON object with a transactionId that is a whole number'

/** The most places of what is no record that are told where there is nothing else. */
const mostWrong = 20

/** How deep a record may be: the server reads 64 levels, of which the list that it goes up in is one. */
const mostLevels = 63

/**
 * The records of a JSON array or JSON Lines (a record on each line) in UTF-8, the lowest transactionId first, and the places of
 * what is none: no JSON object with a whole transactionId, or one that the server would refuse the whole batch for. Raises
 * cli.input, with the first of these places and how many there are, where there is no record among them.
 */
export function readRecords(bytes: Buffer, name: string): { records: TransactionRecord[]; unreadable: Unreadable[] } {
  // Each byte is a character here: what is not UTF-8 is found record by record. Files that were joined may each begin with a mark.
  const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/gm, '')
  const pieces = text.trimStart().startsWith('[') ? arrayPieces(text, name) : linePieces(text)
  const read = pieces.map(readRecord)
  const records = read.filter((one) => 'transactionId' in one)
  const unreadable = read.filter((one) => 'message' in one)
  if (unreadable.length > 0 && records.length === 0) throw noRecords(unreadable, name)
  return { records: records.sort((a, b) => a.transactionId - b.transactionId), unreadable }
}

/** A record as strictly as the server reads it, since what it refuses of one it refuses of the whole batch. */
function readRecord({ written, ...place }: Piece): TransactionRecord | Unreadable {
  const bytes = Buffer.from(written, 'latin1')
  if (bytes.length > mostRecordBytes)
    return { ...place, message: 'larger than the 1 MiB that the server takes at once' }
  try {
    const transactionId = transactionIdOf(parseStrictJson(bytes, { maxDepth: mostLevels }))
    return transactionId === undefined
      ? { ...place, message: noRecordWords }
      : { ...place, transactionId, text: bytes.toString() }
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    const isJson = jsonIn(written) !== undefined
    return { ...place, message: isJson ? `JSON that the server does not take: it ${error.message}` : noRecordWords }
  }
}

function noRecords(unreadable: readonly Unreadable[], name: string): Problem {
  const count = unreadable.length
  const more = count > mostWrong ? ` at ${count} places, of which these are the first ${mostWrong}` : ''
  return new Problem('cli.input', `${name} holds what is no transaction record${more}. Nothing was uploaded.`, {
    hint: 'a JSON array or JSON Lines of { transactionId, creationDateTime, eventName, eventData, … }',
    errors: unreadable.slice(0, mostWrong).map(({ message, ...place }) => ({ key: placeWords(name, place), message })),
  })
}

/** A number, or the text of one, as the server takes it. */
function transactionIdOf(value: unknown): number | undefined {
  const written = isObject(value) ? value.transactionId : undefined
  const id = typeof written === 'string' ? exactNumber(written) : written
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

interface Piece extends Pick<TransactionRecord, 'line' | 'index'> {
  /** Its bytes, each a character. */
  written: string
}

const linePieces = (text: string): Piece[] =>
  text
    .split('\n')
    .map((line, at) => ({ written: line, line: at + 1, index: null }))
    .filter(({ written }) => /[^ \t\r]/.test(written))

/** The elements of a JSON array, each with the line where it begins and its index. */
function arrayPieces(text: string, name: string): Piece[] {
  if (!Array.isArray(jsonIn(text))) throw new Problem('cli.input', `${name} begins like a JSON array and is none.`)
  const pieces: Piece[] = []
  let line = 1
  let depth = 0
  let begun: { at: number; line: number } | undefined
  const end = (at: number) => {
    if (begun) pieces.push({ written: text.slice(begun.at, at), line: begun.line, index: pieces.length })
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
