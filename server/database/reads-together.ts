import { CompiledQuery } from 'kysely'
import { recurs } from '../kit/compiled-query.ts'
import { gathering } from '../kit/gathering.ts'
import type { Readable } from './database.ts'

type Row = Record<string, unknown>
type Asked = readonly unknown[]

/** How many batches of one statement are under way at once. */
const lanes = 4

/**
 * Runs one small read over PostgreSQL: those of the same statement that are asked while others are under way are asked
 * together, for a round trip costs more than what it finds, and those of the same values once. Each is answered as if it had
 * been asked alone, and as of a moment after it was asked.
 */
export function readTogether(read: Readable): (text: string, parameters: Asked) => Promise<Row[]> {
  const gathered = new Map<string, (asked: Asked) => Promise<Row[]>>()
  const alone = async (text: string, parameters: Asked) =>
    (await read.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows as Row[]

  return (text, parameters) => {
    const types = parameters.map(arrayTypeOf)
    if (types.length === 0 || types.includes(undefined)) return alone(text, parameters)
    const key = `${types} ${text}`
    let ask = gathered.get(key)
    if (!ask) {
      const together = recurs(overTuples(text, types))
      const askEach = async (batch: readonly Asked[]): Promise<Row[][]> => {
        if (batch.length === 1) return [await alone(text, batch[0]!)]
        const columns = types.map((_, at) => batch.map((asked) => asked[at]))
        const answers: Row[][] = batch.map(() => [])
        for (const { asked_as, ...row } of await alone(together, columns)) answers[(asked_as as number) - 1]!.push(row)
        return answers
      }
      ask = gathering(lanes, (batch) => askOnce(batch, askEach))
      gathered.set(key, ask)
    }
    return ask(parameters)
  }
}

/** Asks what is asked several times only once; each has rows of its own. */
async function askOnce(batch: readonly Asked[], askEach: (batch: readonly Asked[]) => Promise<Row[][]>) {
  if (batch.length === 1) return askEach(batch)
  const askers = [...Map.groupBy(batch.keys(), (at) => JSON.stringify(batch[at])).values()]
  const found = await askEach(askers.map(([first]) => batch[first!]!))
  const answers: Row[][] = []
  askers.forEach((places, at) => {
    for (const place of places)
      answers[place] = places.length === 1 ? found[at]! : found[at]!.map((row) => ({ ...row }))
  })
  return answers
}

/** The type of an array of such values; undefined for what is not put into one. */
function arrayTypeOf(value: unknown): string | undefined {
  if (typeof value === 'string') return 'text[]'
  if (typeof value === 'number' && Number.isSafeInteger(value)) return 'bigint[]'
  return undefined
}

/** The statement for many tuples of parameters, each row with the number of its tuple, from 1. */
function overTuples(text: string, types: readonly unknown[]): string {
  const columns = types.map((_, at) => `p${at + 1}`)
  const arrays = types.map((type, at) => `$${at + 1}::${type}`)
  return `select one.*, asked.asked_as from unnest(${arrays}) with ordinality as asked (${columns}, asked_as),
lateral (${text.replaceAll(/\$(\d+)/g, 'asked.p$1')} offset 0) as one order by asked.asked_as`
}
