import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { storeOf } from '../../kit/records/store.ts'
import { refuseToken } from '../tokens/authentication.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const standing = (read: Readable, { tenantId, ids }: Ids) =>
  read
    .selectFrom('users')
    .select('id')
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', ids))
    .where('is_deleted', '=', no)
    .where('is_disabled', '=', no)
    .orderBy('id')

const readStanding = compileOnce(standing)
const lockStanding = compileOnce((read, ids: Ids) => standing(read, ids).forKeyShare())

/**
 * Keeps users from being erased until the transaction ends, so that nothing of theirs is written that the erasure does not
 * find; ask before anything else is locked. Throws auth.unauthenticated where one is gone or disabled since the token was read.
 */
export async function keepUsers(tx: Tx, tenantId: string, userIds: readonly string[]): Promise<void> {
  const sought = [...new Set(userIds)]
  const find = storeOf(tx) === 'postgres' ? lockStanding : readStanding
  const found = await find(tx, { tenantId, ids: listed(tx, sought) })
  if (found.length < sought.length) throw refuseToken('The user that this token was issued to is gone or disabled.')
}
