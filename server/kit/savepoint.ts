import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { waitForLast } from './compiled-query.ts'
import { Problem } from './problem.ts'

/** What the work answers, or the problem that it threw: then nothing is left of what it wrote, and the transaction goes on. Any other error is thrown. */
export async function attempt<T>(tx: Tx, work: () => Promise<T>): Promise<{ answer: T } | { refusal: Problem }> {
  await sql`savepoint attempt`.execute(tx)
  try {
    const answer = await work().finally(() => waitForLast(tx))
    await sql`release savepoint attempt`.execute(tx)
    return { answer }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await sql`rollback to savepoint attempt`.execute(tx)
    await sql`release savepoint attempt`.execute(tx)
    return { refusal: error }
  }
}
