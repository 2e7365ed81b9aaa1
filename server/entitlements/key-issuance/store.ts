import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'

/**
 * The next number of a sequence, which is then taken: `start` or the number after the last, whichever is greater. Until the
 * transaction ends its row is locked, so that no other is given the same.
 */
export async function takeNumber(tx: Tx, tenantId: string, scopeKey: string, start: number): Promise<number> {
  const { next_number } = await tx
    .insertInto('key_sequences')
    .values({ tenant_id: tenantId, scope_key: scopeKey, next_number: start + 1 })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'scope_key']).doUpdateSet({
        next_number: sql`case when key_sequences.next_number < ${start} then ${start} else key_sequences.next_number end + 1`,
      }),
    )
    .returning('next_number')
    .executeTakeFirstOrThrow()
  return Number(next_number) - 1
}
