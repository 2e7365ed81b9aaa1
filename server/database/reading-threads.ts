import { Worker } from 'node:worker_threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Places } from '../kit/places.ts'
import { threadLimits } from '../kit/thread-limits.ts'
import type { Asked, Told } from './reading-messages.ts'
import type { Tables } from './tables.ts'

/** So that who asks for one page does not wait for who goes through everything. */
const mostThreads = 2
/** Of each thread at once. */
const mostMoments = 4
const idleMillis = 60_000

export interface Reading {
  /** The committed state of the file, each statement of a moment of its own. */
  readonly read: Kysely<Tables>
  /** Reads what belongs together as of the moment of its first statement. */
  readAsOne<T>(work: (read: Kysely<Tables>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Reads a SQLite file on threads of their own, which begin when something is asked and end after a minute without. */
export function openReadingThreads(file: string): Reading {
  const threads = Array.from({ length: mostThreads }, () => new ReadingThread(file))
  const leastBusy = () => threads.toSorted((one, other) => one.waiting - other.waiting)[0]!
  const readBy = (ask: Ask) => new Kysely<Tables>({ dialect: new ThreadDialect(ask) })
  const read = readBy((text, parameters) => leastBusy().ask(text, parameters))
  return {
    read,
    async readAsOne(work) {
      const moment = await leastBusy().beginMoment()
      try {
        return await work(readBy(moment.ask))
      } finally {
        moment.end()
      }
    },
    async close() {
      await read.destroy()
      for (const thread of threads) await thread.close()
    },
  }
}

class ReadingThread {
  readonly #file: string
  readonly #asked = new Map<number, PromiseWithResolvers<unknown[]>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #numbers = 0
  readonly #moments = new Places(mostMoments)

  constructor(file: string) {
    this.#file = file
  }

  get waiting(): number {
    return this.#asked.size + this.#moments.waiting
  }

  ask(text: string, parameters: readonly unknown[], moment?: number): Promise<unknown[]> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const number = this.#numbers++
    const answer = Promise.withResolvers<unknown[]>()
    this.#asked.set(number, answer)
    this.#worker.ref()
    this.#worker.postMessage({ number, text, parameters, moment } satisfies Asked)
    return answer.promise
  }

  /** Begins a moment once there are few, each having a connection of its own: what is asked of it is read as of its first statement. */
  async beginMoment(): Promise<{ ask: Ask; end: () => void }> {
    await this.#moments.take()
    const moment = this.#numbers++
    let worker: Worker | undefined
    let isOver = false
    return {
      ask: async (text, parameters) => {
        if (isOver || (worker && worker !== this.#worker)) throw new Error('The moment that is read of is over.')
        const answer = this.ask(text, parameters, moment)
        worker = this.#worker
        return answer
      },
      end: () => {
        isOver = true
        if (worker && worker === this.#worker) worker.postMessage({ momentOver: moment } satisfies Asked)
        this.#moments.giveBack()
      },
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(workerUrl(), { workerData: { file: this.#file }, resourceLimits: threadLimits })
    worker.on('message', (told: Told) => this.#hear(told))
    worker.on('error', (error) => this.#giveUp(worker, error))
    worker.on('exit', () => this.#giveUp(worker, new Error('The thread that reads has ended.')))
    return worker
  }

  #hear(told: Told): void {
    const answer = this.#asked.get(told.number)
    this.#asked.delete(told.number)
    if (this.#asked.size === 0) {
      this.#worker?.unref()
      this.#idle = setTimeout(() => void this.close(), idleMillis).unref()
    }
    if ('rows' in told) answer?.resolve(told.rows)
    else answer?.reject(Object.assign(new Error(told.failure.message), { code: told.failure.code }))
  }

  #giveUp(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = undefined
    else if (this.#worker) return
    for (const answer of this.#asked.values()) answer.reject(error)
    this.#asked.clear()
  }
}

/** The thread's entry: beside this file, or in the bundle, whose every script stands one folder below its root. */
const workerUrl = () =>
  import.meta.url.endsWith('.ts')
    ? new URL('./reading-worker.ts', import.meta.url)
    : new URL('../server/reading-worker.js', import.meta.url)

type Ask = (text: string, parameters: readonly unknown[]) => Promise<unknown[]>

class ThreadDialect implements Dialect {
  readonly #ask: Ask
  constructor(ask: Ask) {
    this.#ask = ask
  }
  createAdapter() {
    return new SqliteAdapter()
  }
  createDriver(): Driver {
    return new ThreadDriver(this.#ask)
  }
  createIntrospector(db: Kysely<unknown>) {
    return new SqliteIntrospector(db)
  }
  createQueryCompiler() {
    return new SqliteQueryCompiler()
  }
}

/** Statements alone, without transactions: whether they belong to a moment is for whom they are asked by. */
class ThreadDriver implements Driver {
  readonly #connection: DatabaseConnection
  constructor(ask: Ask) {
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        return { rows: (await ask(sql, parameters)) as Row[] }
      },
      streamQuery: refuse,
    }
  }
  async init() {}
  async acquireConnection() {
    return this.#connection
  }
  beginTransaction = refuse
  commitTransaction = refuse
  rollbackTransaction = refuse
  async releaseConnection() {}
  async destroy() {}
}

const refuse = (): never => {
  throw new Error('A thread that reads runs one statement at a time.')
}
