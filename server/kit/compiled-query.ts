import type { Compilable, CompiledQuery, InferResult } from 'kysely'
import type { Readable } from '../database/database.ts'

/** Where a value goes in a query that is compiled before there are values. */
class Hole {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const recurring = new Set<string>()

/** Marks a statement's text as one of the few that are run again and again; answers it. */
export function recurs(text: string): string {
  recurring.add(text)
  return text
}

/** Whether a statement is one of the few that are run again and again: PostgreSQL keeps those prepared. */
export const isRecurring = (text: string): boolean => recurring.has(text)

type DirectRead = (text: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]>
const directReads = new WeakMap<Readable, DirectRead>()

/** Lets compiled queries over `read` be answered by a shorter way than Kysely's, which on SQLite costs more than the rows do. */
export const readDirectly = (read: Readable, directRead: DirectRead) => void directReads.set(read, directRead)

/**
 * A query that is built and compiled once for each store, then run with other values each time: building and compiling
 * cost three times what a small SQLite read takes. `build` must use every value as a parameter and decide nothing by it.
 */
export function compileOnce<Values extends Record<string, unknown>, Query extends Compilable<unknown>>(
  build: (read: Readable, values: Values) => Query,
): (read: Readable, values: Values) => Promise<InferResult<Query>> {
  const holes = new Proxy({} as Values, { get: (_target, name) => new Hole(String(name)) })
  const compiled = new Map<unknown, CompiledQuery>()
  return async (read, values) => {
    const store = read.getExecutor().adapter.constructor
    let query = compiled.get(store)
    if (!query) {
      query = build(read, holes).compile()
      recurs(query.sql)
      compiled.set(store, query)
    }
    const parameters = query.parameters.map((given) => (given instanceof Hole ? values[given.name] : given))
    const readNow = directReads.get(read)
    if (readNow) return (await readNow(query.sql, parameters)) as InferResult<Query>
    const { rows } = await read.executeQuery({ ...query, parameters } as CompiledQuery<unknown>)
    return rows as InferResult<Query>
  }
}
