import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely } from 'kysely'
import pg from 'pg'
import { announcementChannel } from '../kit/announcement.ts'
import { isRecurring, runDirectly } from '../kit/compiled-query.ts'
import type { Database, Purpose, Tx } from './database.ts'
import { PipeliningDialect, pipeline, pipelined, pipelining } from './pipelining.ts'
import { readAtOnce } from './reads-at-once.ts'
import { readTogether } from './reads-together.ts'
import { answerMillis, giveUpOnSilence } from './silence.ts'
import type { Tables } from './tables.ts'

const deadlockDetected = '40P01'
/** How often a transaction that PostgreSQL ended to resolve a deadlock is done, and how much longer each time it waits for the other. */
const mostTries = 5
const pauseMillis = 20

/** Asked of a database that no longer answers, it says so, and its connection is given up. */
const pingQuery = { text: 'select 1', query_timeout: 5000 }

/** The most connections of each pool. */
const poolSizes: Record<Purpose, number> = { serving: 8, bulk: 2 }

/**
 * How long PostgreSQL keeps the locks of a transaction that asks nothing: the machine of its process may have lost its power,
 * which the network tells after hours. A large import reckons between its statements.
 */
const longestPauses: Record<Purpose, string> = { serving: '15s', bulk: '2min' }

/**
 * Opens a PostgreSQL database: one pool for what reads, one for what the back office writes and one for what is written at run
 * time, so that those who wait for one another's locks leave the others their connections.
 */
export function openPostgres(url: string, purpose: Purpose): Database {
  const connections = { url, sockets: new Set<Socket>(), heedSilence: giveUpOnSilence(url) }
  const readers = openPool(connections, purpose)
  const writers = openPool(connections, purpose, purpose === 'bulk' ? 'off' : 'on')
  const read = new Kysely<Tables>({ dialect: new PipeliningDialect(readers) })
  const write = new Kysely<Tables>({ dialect: new PipeliningDialect(writers) })
  const writeAtRunTime = new Kysely<Tables>({ dialect: new PipeliningDialect(openPool(connections, purpose)) })
  runDirectly(read, readTogether(read))
  return {
    kind: 'postgres',
    read,
    readLong: read,
    readAsOne: readAtOnce,
    schema: write as unknown as Kysely<unknown>,
    transact: transactOver(write),
    transactAtRunTime: transactOver(writeAtRunTime),
    lendWriter: (work) => work(),
    settle: () => undefined,
    heed: (heard) => listen(url, heard),
    async ping() {
      await readers.query(pingQuery)
    },
    async close() {
      for (const each of [read, write, writeAtRunTime]) await each.destroy()
      // One on which pg itself gave up while it was signing in is left open, and would keep the process.
      for (const socket of connections.sockets) socket.destroy()
    },
  }
}

/** Transactions over the connections of a pool, each done again where PostgreSQL has ended it to resolve a deadlock. */
function transactOver(write: Kysely<Tables>): Database['transact'] {
  const begin = <T>(work: (tx: Tx) => Promise<T>) => write.transaction().execute(work)
  return async (work) => {
    for (let tries = 1; ; tries++)
      try {
        return await pipeline(begin, work)
      } catch (error) {
        if ((error as { code?: unknown }).code !== deadlockDetected || tries === mostTries) throw error
        await sleep(Math.random() * tries * pauseMillis)
      }
  }
}

/** How long to try to connect, and how soon to find out that the other side is gone without a word. */
const reaching = { connectionTimeoutMillis: answerMillis, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

interface Connections {
  url: string
  sockets: Set<Socket>
  heedSilence: (socket: Socket, isAwaited: () => boolean) => void
}

function openPool({ url, sockets, heedSilence }: Connections, purpose: Purpose, scans: 'on' | 'off' = 'on'): pg.Pool {
  const lent = new WeakSet<pg.ClientBase>()
  const overdue = new WeakSet<pg.ClientBase>()
  const socketOf = new WeakMap<pg.ClientBase, Socket>()
  /** Knows its socket before it has one, and so does TLS over it. */
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const socket = new Socket()
      super({ ...config, stream: () => socket })
      socketOf.set(this, socket)
      sockets.add(socket.once('close', () => sockets.delete(socket)))
      heedSilence(socket, () => lent.has(this))
    }
  }
  const max = poolSizes[purpose]
  const settings: pg.PoolConfig = { connectionString: url, max, ...reaching, types: { getTypeParser } }
  const pool = new pg.Pool({ ...settings, ...pipelined, Client })
  pool.on('acquire', (client) => void lent.add(client))
  pool.on('release', (_error, client) => {
    lent.delete(client)
    if (overdue.has(client)) void (client as pg.PoolClient).end()
  })
  // A connection that is lost is replaced at its next use, which tells: while it is idle, and while it is lent out, too.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    client.query(fitSession, [longestPauses[purpose], scans]).catch(() => void client.end())
    askWhetherReadOnly(client, () => {
      // What is asked over it is answered; an idle one says to its pool that it is lost.
      if (lent.has(client)) overdue.add(client)
      else socketOf.get(client)?.destroy(new Error('the database was read-only'))
    })
    tellOfItsEnd(client)
    keepPrepared(client)
    client.query = pipelining(client, client.query.bind(client) as never) as typeof client.query
  })
  return pool
}

/**
 * Not as settings of the connection's start, which poolers refuse; and what an operator has set stays, but for commits that are
 * acknowledged before they are in the log. A connection on which this fails would lose writes, and is given up. One for bulk
 * writing goes through no table: the references of thousands of new rows are checked one by one, by a plan that is made while the
 * tables are small, and stays.
 */
const fitSession = `select set_config(name, fit, false)
from (values ('idle_in_transaction_session_timeout', '0', $1), ('synchronous_commit', 'off', 'on'), ('enable_seqscan', 'on', $2))
as settings (name, unfit, fit) where current_setting(name) = unfit and fit <> unfit`

/** How long a connection is used to a database that is read-only. */
const readOnlyMillis = 2000

/**
 * Has a connection given up after a while that was opened to a read-only database, as a standby is: the way to it, by a pooler or
 * a name, may have been set back to the primary since, and who only reads would never find out, and read what was.
 */
function askWhetherReadOnly(client: pg.PoolClient, giveUp: () => void): void {
  client.query(`select current_setting('transaction_read_only') = 'on' as "isReadOnly"`).then(
    ({ rows }) => {
      if (rows[0]?.isReadOnly) setTimeout(giveUp, readOnlyMillis).unref()
    },
    () => undefined,
  )
}

const pauseBeforeListeningAgainMillis = 1000

/** Listens on a connection of its own, and on another one when that is lost; one that falls silent is not missed, as whoever is told looks by itself, too. */
function listen(connectionString: string, heard: () => void): () => Promise<void> {
  let client: pg.Client | undefined
  let again: NodeJS.Timeout | undefined
  let isOver = false
  const connect = async () => {
    const fresh = new pg.Client({ connectionString, ...reaching })
    client = fresh
    fresh.on('error', () => undefined)
    fresh.on('end', () => {
      if (!isOver) again = setTimeout(() => void connect(), pauseBeforeListeningAgainMillis).unref()
    })
    fresh.on('notification', heard)
    await fresh
      .connect()
      .then(() => fresh.query(`listen ${announcementChannel}`))
      .catch(() => fresh.end().catch(() => undefined))
  }
  const connecting = connect()
  return async () => {
    isOver = true
    clearTimeout(again)
    await connecting
    await client?.end().catch(() => undefined)
  }
}

/**
 * How PostgreSQL says that a connection knows the database as it was: a table that a kept statement reads was changed, as by the
 * migrations of a newer version, or the database was read-only when it was opened, as a standby is.
 */
const outdated = new Set(['0A000', '25006'])

/**
 * Gives up a connection that says so, with the statement that it fails: the next one knows the database as it is. One that
 * PostgreSQL ended while nothing was asked tells whoever asks something after that why it did.
 */
function tellOfItsEnd(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  let lost: pg.DatabaseError | undefined
  client.on('error', (error) => {
    if (error instanceof pg.DatabaseError) lost ??= error
  })
  client.query = (async (...given: unknown[]) => {
    try {
      return await query(...given)
    } catch (error) {
      if (outdated.has(String((error as { code?: unknown }).code))) void client.end()
      throw lost ?? error
    }
  }) as typeof client.query
}

/** Has a connection keep the statements prepared that are run again and again: to parse and plan them costs as much as they do. */
function keepPrepared(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((text: unknown, values: unknown, ...more: unknown[]) =>
    typeof text === 'string' && Array.isArray(values) && isRecurring(text)
      ? query({ name: nameOf(text), text, values })
      : query(text, values, ...more)) as typeof client.query
}

const names = new Map<string, string>()

/** The same of the same text, in every process: where a pooler mixes up connections, never another statement is run. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `licet_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
    names.set(text, name)
  }
  return name
}

/** 64-bit integers and counts are read as numbers: instants in milliseconds and row counts stay far below 2^53. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
