import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { waitForLast } from './compiled-query.ts'
import { Problem } from './problem.ts'

/** What the work answers, or the problem that it threw: then nothing is left of what it wrote, and the transaction goes on. Any other error is thrown. */
export const attempt = <T>(tx: Tx, work: () => Promise<T>): Promise<{ answer: T } | { refusal: Problem }> =>
  attemptUnless(tx, work, (error) => error instanceof Problem)

/** The same of errors that `isRefusal` says are to be answered so. */
export async function attemptUnless<T, Refusal>(
  tx: Tx,
  work: () => Promise<T>,
  isRefusal: (error: unknown) => error is Refusal,
): Promise<{ answer: T } | { refusal: Refusal }> {
  await sql`savepoint attempt`.execute(tx)
  try {
    const answer = await work().finally(() => waitForLast(tx))
    await sql`release savepoint attempt`.execute(tx)
    return { answer }
  } catch (error) {
    if (!isRefusal(error)) throw error
    await sql`rollback to savepoint attempt`.execute(tx)
    await sql`release savepoint attempt`.execute(tx)
    return { refusal: error }
  }
}
