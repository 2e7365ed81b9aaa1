import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Readable, Tx } from '../database/database.ts'
import { compileOnce } from './compiled-query.ts'
import { storeOf } from './records/store.ts'

interface Named extends Record<string, unknown> {
  name: string
}

const asked = (read: Readable, lock: RawBuilder<unknown>): Compilable<unknown> => ({
  compile: () => sql`select ${lock}`.compile(read) as CompiledQuery<unknown>,
})
const lockOf = (name: string) => sql`hashtextextended(${name}, 0)`

const takeAlone = compileOnce((tx, { name }: Named) => asked(tx, sql`pg_advisory_xact_lock(${lockOf(name)})`))
const takeShared = compileOnce((tx, { name }: Named) => asked(tx, sql`pg_advisory_xact_lock_shared(${lockOf(name)})`))

/**
 * On PostgreSQL nobody else has this name until the transaction ends. Whoever asks is served in turn: those who would share it
 * with others do not pass by one who waits for it alone, as they do at the lock of a row. SQLite has one writer.
 */
export const takeName = async (tx: Tx, name: string): Promise<void> =>
  void (storeOf(tx) === 'postgres' && (await takeAlone(tx, { name })))

/** The same, but for others who share it. */
export const shareName = async (tx: Tx, name: string): Promise<void> =>
  void (storeOf(tx) === 'postgres' && (await takeShared(tx, { name })))
