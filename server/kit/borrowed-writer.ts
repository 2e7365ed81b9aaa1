import type { MessagePort } from 'node:worker_threads'
import type { Database } from '../database/database.ts'
import type { HeavyMessage } from './heavy-lane.ts'
import { keepingPace } from './thread-priority.ts'

/** The database of the heavy thread: on SQLite every transaction asks the main thread for the file's one writer first. */
export function withBorrowedWriter(
  database: Database,
  say: (message: HeavyMessage) => void,
  reply: MessagePort,
): Database {
  if (database.kind === 'postgres') return database
  const transact: Database['transact'] = async (work) => {
    const granted = new Promise((resolve) => reply.once('message', resolve))
    say({ say: 'want-writer' })
    await granted
    try {
      return await keepingPace(() => database.transact(work))
    } finally {
      say({ say: 'done-writing' })
      // After the answer: moving the log into the file waits for the disk.
      setImmediate(() => database.settle())
    }
  }
  return { ...database, transact, transactAtRunTime: transact }
}
