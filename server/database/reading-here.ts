import type { Database as Sqlite } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { runDirectly } from '../kit/compiled-query.ts'
import { Places } from '../kit/places.ts'
import { withPreparedStatements } from './prepared-statements.ts'
import type { Reading } from './reading-threads.ts'
import { openReader } from './sqlite-connection.ts'
import type { Tables } from './tables.ts'

/** At once; further ones wait for one to be over. */
const mostMoments = 4

/** Reads a SQLite file on this thread: `reader` what is of one statement, and a connection of its own each moment. */
export function openReadingHere(file: string, reader: Sqlite): Reading {
  const { read } = readingBy(reader)
  const spare: Moment[] = []
  const places = new Places(mostMoments)
  return {
    read,
    readAsOne: (work) =>
      places.use(async () => {
        const moment = spare.pop() ?? openMoment(file)
        try {
          moment.begin()
          return await work(moment.read)
        } finally {
          if (moment.end()) spare.push(moment)
        }
      }),
    async close() {
      await read.destroy()
      for (const { close } of spare) close()
    },
  }
}

type Moment = ReturnType<typeof openMoment>

/** A connection that reads as of the first statement after `begin`, until `end`: it answers whether it can be used again. */
function openMoment(file: string) {
  const connection = openReader(file)
  // There are several, so that each keeps less of the file in memory (KiB, below 0 as SQLite has it).
  connection.pragma('cache_size = -2000')
  const { prepared, read } = readingBy(connection)
  return {
    read,
    begin: () => void prepared.prepare('begin').run([]),
    end() {
      try {
        prepared.prepare('commit').run([])
        return true
      } catch {
        // After an error of the disk SQLite has rolled back by itself.
        connection.close()
        return false
      }
    },
    close: () => void connection.close(),
  }
}

function readingBy(connection: Sqlite) {
  const prepared = withPreparedStatements(connection)
  const read = new Kysely<Tables>({ dialect: new SqliteDialect({ database: prepared }) })
  runDirectly(read, (text, parameters) => prepared.prepare(text).all(parameters) as unknown[])
  return { prepared, read }
}
