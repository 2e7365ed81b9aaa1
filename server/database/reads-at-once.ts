import { storeOf } from '../kit/records/store.ts'
import type { Readable, Tx } from './database.ts'
import { pipeline } from './pipelining.ts'

/** Reads the state of one moment, whoever writes meanwhile; on PostgreSQL what is asked together shares a round trip. */
export function readAtOnce<T>(read: Readable, work: (tx: Tx) => Promise<T>): Promise<T> {
  const begin = (run: (tx: Tx) => Promise<T>) =>
    read.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(run)
  return storeOf(read) === 'postgres' ? pipeline(begin, work) : begin(work)
}
