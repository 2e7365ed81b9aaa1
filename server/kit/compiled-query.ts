import { type Compilable, CompiledQuery, type InferResult } from 'kysely'
import type { Readable, Tx } from '../database/database.ts'

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

type Run = (text: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]>

interface Direct {
  run: Run
  /** What goes out with a transaction's commit, which waits for none of it. */
  last: Promise<unknown>[] | undefined
}

const directs = new WeakMap<Readable, Direct>()

/**
 * Lets compiled statements over `readable` go a shorter way than Kysely's, which on SQLite costs more than a small read and
 * on PostgreSQL lets a transaction's statements wait for each other. With `last`, what is left to the commit is put there.
 */
export const runDirectly = (readable: Readable, run: Run, last?: Promise<unknown>[]) =>
  void directs.set(readable, { run, last })

/** A statement with its parameters, ready to be run. */
export interface Statement {
  text: string
  parameters: readonly unknown[]
}

/** A query as a statement, with its values. */
export function statementOf(query: Compilable<unknown>): Statement {
  const { sql, parameters } = query.compile()
  return { text: sql, parameters }
}

/** Runs a compiled statement, the shorter way where there is one; the rows it answers. */
async function runCompiled(readable: Readable, { text, parameters }: Statement): Promise<unknown[]> {
  const direct = directs.get(readable)
  if (direct) return direct.run(text, parameters)
  return (await readable.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows
}

/** Runs statements in their order; throws the error of the first that fails. */
export const runInOrder = (tx: Tx, statements: readonly Statement[]): Promise<void> =>
  writeInOrder(
    tx,
    statements.map((statement) => () => runCompiled(tx, statement)),
  )

/** Makes writes of a compiled statement each in their order, on PostgreSQL in one round trip; throws the error of the first that fails. */
export async function writeInOrder(tx: Tx, writes: readonly (() => Promise<unknown>)[]): Promise<void> {
  if (directs.has(tx)) await allDone(writes.map((write) => write()))
  else for (const write of writes) await write()
}

/**
 * What these answer; waits for all of them, so that none goes on in a transaction that another one has ended, and throws the
 * error of the first in their order: on PostgreSQL those behind it only say that the transaction has failed.
 */
export async function allDone<T extends readonly unknown[]>(
  asked: readonly [...T],
): Promise<{ [Place in keyof T]: Awaited<T[Place]> }> {
  const settled = await Promise.allSettled(asked)
  const failed = settled.find((one): one is PromiseRejectedResult => one.status === 'rejected')
  if (failed) throw failed.reason
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never
}

/** Waits for what was left to a transaction's commit so far, as at the end of a savepoint: failing behind it, it would fail a transaction that is committed. */
export const waitForLast = async (tx: Tx): Promise<void> => void (await allDone(directs.get(tx)?.last?.splice(0) ?? []))

/**
 * Does not wait for the last statements of a transaction, which have been sent. On PostgreSQL the commit is sent right behind
 * them, in the same round trip, and the transaction fails if one of them does. Elsewhere they are waited for.
 */
export async function leaveToCommit(tx: Tx, sent: Promise<unknown>): Promise<void> {
  const last = directs.get(tx)?.last
  if (!last) return void (await sent)
  last.push(sent)
  sent.catch(() => undefined)
}

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
    return (await runCompiled(read, { text: query.sql, parameters })) as InferResult<Query>
  }
}
