import type { Readable, Tx } from '../database/database.ts'

const apart = new WeakMap<Readable, Readable>()

/** Gives a transaction a second connection, to read by it what it has not changed itself. */
export const letLookApart = (tx: Tx, where: Readable) => void apart.set(tx, where)

/**
 * What a transaction reads by where it may go through very many rows, and has changed none of them: of a large SQLite file a
 * connection on another thread, so that this one goes on with other requests; else the transaction itself. That connection sees
 * what is committed, which stays as it is meanwhile: the transaction has the file's only writer.
 */
export const lookApart = (tx: Tx): Readable => apart.get(tx) ?? tx
