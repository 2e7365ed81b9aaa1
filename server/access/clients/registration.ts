import type { Tx } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import type { Sealer } from '../../kit/sealing.ts'
import { hashClientSecret, newClientSecret } from './secrets.ts'
import { type Client, insertClient, updateClient } from './store.ts'

/** How long a replaced secret goes on being good. */
export const overlapMillis = 24 * 3_600_000

/** A client and the secret that is shown this once. */
export interface Registered {
  client: Client
  clientSecret: string
}

/** Registers a client with a secret of its own. */
export async function registerClient(
  tx: Tx,
  sealer: Sealer,
  wanted: { tenantId: string; name: string; scopes: readonly string[] },
  now: number,
): Promise<Registered> {
  const id = newId()
  const clientSecret = newClientSecret()
  const client: Client = {
    id,
    name: wanted.name,
    scopes: [...new Set(wanted.scopes)],
    secretHash: hashClientSecret(sealer, wanted.tenantId, id, clientSecret),
    previousSecretHash: null,
    previousSecretUntil: null,
    createdAt: now,
    updatedAt: now,
    revisionNumber: 1,
  }
  await insertClient(tx, wanted.tenantId, client)
  return { client, clientSecret }
}

/** Gives a client a new secret; the one it had is good until the overlap is over, any older one no longer. */
export async function rotateSecret(
  tx: Tx,
  sealer: Sealer,
  tenantId: string,
  client: Client,
  now: number,
  previousUntil = now + overlapMillis,
): Promise<Registered> {
  const clientSecret = newClientSecret()
  const rotated = await updateClient(
    tx,
    tenantId,
    {
      ...client,
      secretHash: hashClientSecret(sealer, tenantId, client.id, clientSecret),
      previousSecretHash: client.secretHash,
      previousSecretUntil: previousUntil,
    },
    now,
  )
  return { client: rotated, clientSecret }
}
