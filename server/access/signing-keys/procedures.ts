import { toInstant, toNullableInstant } from '../../kit/instants.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { commitOnce, query, task } from '../../kit/procedure.ts'
import { getKey, type KeyRecord, listKeys, rotateKey } from './contract.ts'
import { generateSigningKey } from './key-pairs.ts'
import { listPage } from './listing.ts'
import { retiredTokenKeyMillis } from './signed-until.ts'
import { insertSigningKey, lockKeys, type PublicKeyRow, retireKeys, selectSigningKeys } from './store.ts'

export const keyProcedures = {
  list: query(listKeys, async ({ read, tenant }, input) => {
    const page = await listPage(read, tenant.id, input)
    return { ...page, items: page.items.map(toWire) }
  }),

  get: query(getKey, async ({ read, tenant }, { id }) => {
    const key = await selectSigningKeys(read, tenant.id).where('id', '=', id.toLowerCase()).executeTakeFirst()
    if (!key) throw recordNotFound('signing key')
    return toWire(key)
  }),

  rotate: task(rotateKey, async (context, input) => {
    const purpose = input.purpose ?? 'token'
    const key = await generateSigningKey(purpose)
    return commitOnce(rotateKey, context, input, async ({ tx, tenant, sealer, now }) => {
      await lockKeys(tx, tenant.id, purpose)
      await retireKeys(tx, tenant.id, purpose, now, purpose === 'token' ? now + retiredTokenKeyMillis : null)
      await insertSigningKey(tx, sealer, tenant.id, key, now)
      return toWire(await selectSigningKeys(tx, tenant.id).where('id', '=', key.kid).executeTakeFirstOrThrow())
    })
  }),
}

const toWire = (key: PublicKeyRow): KeyRecord => ({
  id: key.id,
  purpose: key.purpose,
  algorithm: key.algorithm,
  createdAt: toInstant(key.created_at),
  retiredAt: toNullableInstant(key.retired_at),
  verifiesUntil: toNullableInstant(key.verifies_until),
  publicKey: JSON.parse(key.public_jwk) as Record<string, unknown>,
})
