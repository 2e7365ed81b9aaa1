import type { Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { refuseToken } from '../tokens/authentication.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const lockStanding = compileOnce((tx, { tenantId, ids }: Ids) =>
  tx
    .selectFrom('users')
    .select('id')
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', ids))
    .where('is_deleted', '=', no)
    .where('is_disabled', '=', no)
    .orderBy('id')
    .forKeyShare(),
)

/**
 * Keeps users from being erased until the transaction ends, so that nothing of theirs is written that the erasure does not
 * find; ask before anything else is locked. Throws auth.unauthenticated where one is gone or disabled since the token was read.
 */
export async function keepUsers(tx: Tx, tenantId: string, userIds: readonly string[]): Promise<void> {
  const sought = [...new Set(userIds)]
  const found = await lockStanding(tx, { tenantId, ids: listed(tx, sought) })
  if (found.length < sought.length) throw refuseToken('The user that this token was issued to is gone or disabled.')
}
