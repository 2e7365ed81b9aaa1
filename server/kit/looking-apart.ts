import type { Readable, Tx } from '../database/database.ts'

const apart = new WeakMap<Readable, Readable>()

/** Says where a transaction may look for what it has not changed itself. */
export const letLookApart = (tx: Tx, where: Readable) => void apart.set(tx, where)

/**
 * Where a transaction looks for what may take it through very many rows, and what it has not changed itself: in a large
 * SQLite file on another thread. It has the file's one writer, so that what is committed stays as it is.
 */
export const lookApart = (tx: Tx): Readable => apart.get(tx) ?? tx
