import { digestOf } from '../../kit/canonical-json.ts'
import { toInstant } from '../../kit/clock.ts'
import { readIdempotencyKey, runOnce } from '../../kit/idempotency.ts'
import { query, task } from '../../kit/procedure.ts'
import { type KeyRecord, listKeys, rotateKey } from './contract.ts'
import { generateSigningKey } from './key-pairs.ts'
import { retiredTokenKeyMillis } from './signed-until.ts'
import { insertSigningKey, listSigningKeys, retireKeys } from './store.ts'

export const keyProcedures = {
  list: query(listKeys, async ({ read, tenant }) => ({
    items: (await listSigningKeys(read, tenant.id)).map(toWire),
  })),

  rotate: task(rotateKey, async (context, input) => {
    const { tenant, sealer, now } = context
    const purpose = input.purpose ?? 'token'
    const key = await generateSigningKey(purpose)
    const idempotencyKey = readIdempotencyKey(context.headers)
    const settled = await context.database.transact(async (tx) => {
      const rotate = async () => {
        await retireKeys(tx, tenant.id, purpose, now, purpose === 'token' ? now + retiredTokenKeyMillis : null)
        await insertSigningKey(tx, sealer, tenant.id, key, now)
        return toWire((await listSigningKeys(tx, tenant.id)).find(({ id }) => id === key.kid)!)
      }
      return idempotencyKey === undefined
        ? { answer: await rotate() }
        : runOnce(tx, context, { key: idempotencyKey, operation: rotateKey.name, fingerprint: digestOf(input) }, rotate)
    })
    if ('refusal' in settled) throw settled.refusal
    return settled.answer
  }),
}

const toWire = (key: Awaited<ReturnType<typeof listSigningKeys>>[number]): KeyRecord => ({
  id: key.id,
  purpose: key.purpose,
  algorithm: key.algorithm,
  createdAt: toInstant(key.created_at),
  retiredAt: key.retired_at === null ? null : toInstant(key.retired_at),
  verifiesUntil: key.verifies_until === null ? null : toInstant(key.verifies_until),
  publicKey: JSON.parse(key.public_jwk) as Record<string, unknown>,
})
