import { parentPort, workerData } from 'node:worker_threads'
import { withPreparedStatements } from './prepared-statements.ts'
import type { Asked, Told } from './reading-messages.ts'
import { openReader } from './sqlite-connection.ts'

/** A thread that reads a SQLite file, one statement after another. */
const { file } = workerData as { file: string }
const statements = withPreparedStatements(openReader(file))
type Statements = typeof statements

/** A moment's own connection, in a transaction; afterwards it is kept for the next moment. */
const moments = new Map<number, Statements>()
const spare: Statements[] = []

/** There are several, so that each keeps less of the file in memory (KiB, below 0 as SQLite has it). */
function openStatements(): Statements {
  const connection = openReader(file)
  connection.pragma('cache_size = -2000')
  return withPreparedStatements(connection)
}

function statementsOf(moment: number | undefined): Statements {
  if (moment === undefined) return statements
  let own = moments.get(moment)
  if (!own) {
    own = spare.pop() ?? openStatements()
    own.prepare('begin').run([])
    moments.set(moment, own)
  }
  return own
}

function endMoment(moment: number): void {
  const own = moments.get(moment)
  if (!own) return
  moments.delete(moment)
  try {
    own.prepare('commit').run([])
    spare.push(own)
  } catch {
    // After an error of the disk SQLite has rolled back by itself.
    own.close()
  }
}

parentPort!.on('message', (asked: Asked) => {
  if ('momentOver' in asked) return endMoment(asked.momentOver)
  const { number, text, parameters, moment } = asked
  const tell = (told: Told) => parentPort!.postMessage(told)
  try {
    tell({ number, rows: statementsOf(moment).prepare(text).all(parameters) as unknown[] })
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    tell({ number, failure: { message, code } })
  }
})
