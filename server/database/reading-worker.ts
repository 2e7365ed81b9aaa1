import { parentPort, workerData } from 'node:worker_threads'
import { withPreparedStatements } from './prepared-statements.ts'
import type { Asked, Told } from './reading-messages.ts'
import { openReader } from './sqlite-connection.ts'

/** A thread that reads a SQLite file, one statement after another. */
const { file } = workerData as { file: string }
const statements = withPreparedStatements(openReader(file))

parentPort!.on('message', ({ number, text, parameters }: Asked) => {
  const tell = (told: Told) => parentPort!.postMessage(told)
  try {
    tell({ number, rows: statements.prepare(text).all(parameters) as unknown[] })
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    tell({ number, failure: { message, code } })
  }
})
