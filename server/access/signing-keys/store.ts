import { type InferResult, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { KeyPurpose, SigningKey } from './key-pairs.ts'
import type { SigningKeyTables } from './tables.ts'

/** Where a private key stands, bound into its seal. */
export const placeOf = (tenantId: string, kid: string) => `key/${tenantId}/${kid}`

/** Writes a new key of the tenant's, in use from now on, its private half sealed. */
export async function insertSigningKey(tx: Tx, sealer: Sealer, tenantId: string, key: SigningKey, now: number) {
  await tx
    .insertInto('signing_keys')
    .values({
      id: key.kid,
      tenant_id: tenantId,
      purpose: key.purpose,
      algorithm: key.algorithm,
      public_jwk: JSON.stringify(key.publicJwk),
      sealed_private_key: sealer.seal(key.privateKey, placeOf(tenantId, key.kid)),
      created_at: now,
      retired_at: null,
      verifies_until: null,
      signed_until: now,
    })
    .execute()
}

/** What is told of a key: all but its private half. */
export const publicColumns = [
  'id',
  'purpose',
  'algorithm',
  'public_jwk',
  'created_at',
  'retired_at',
  'verifies_until',
] as const

/** The tenant's keys in use and retired, without their private halves. */
export const selectSigningKeys = (read: Readable, tenantId: string) =>
  read.selectFrom('signing_keys').select(publicColumns).where('tenant_id', '=', tenantId)
export type PublicKeyRow = InferResult<ReturnType<typeof selectSigningKeys>>[number]

/** A key of the tenant's with its private half, sealed; rejects when there is none. */
export const getSigningKey = (read: Readable, tenantId: string, kid: string) =>
  read
    .selectFrom('signing_keys')
    .select(['algorithm', 'sealed_private_key'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', kid)
    .executeTakeFirstOrThrow()

/** The public half of a key of the tenant's that verifies at `now`. */
export async function findVerifyingKey(
  read: Readable,
  tenantId: string,
  purpose: KeyPurpose,
  kid: string,
  now: number,
): Promise<string | undefined> {
  const [key] = await keyById(read, { tenantId, kid, purpose })
  return key && (key.verifies_until === null || key.verifies_until > now) ? key.public_jwk : undefined
}

const keyById = compileOnce(
  (read, { tenantId, kid, purpose }: { tenantId: string; kid: string; purpose: KeyPurpose }) =>
    read
      .selectFrom('signing_keys')
      .select(['public_jwk', 'verifies_until'])
      .where('id', '=', kid)
      .where('tenant_id', '=', tenantId)
      .where('purpose', '=', purpose),
)

/**
 * Retires every key of the purpose; each verifies until the given instant and as long as a token it signed is good, or for
 * ever (null).
 */
export async function retireKeys(
  tx: Tx,
  tenantId: string,
  purpose: KeyPurpose,
  now: number,
  verifiesUntil: number | null,
) {
  const signed = sql<number>`case when signed_until > ${verifiesUntil} then signed_until else ${verifiesUntil} end`
  await tx
    .updateTable('signing_keys')
    .set({ retired_at: now, verifies_until: verifiesUntil === null ? null : signed })
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', purpose)
    .where('retired_at', 'is', null)
    .execute()
}

/** Lets one rotation of a tenant's keys wait for another: each would leave the other's new key in use beside its own. */
export async function lockKeys(tx: Tx, tenantId: string, purpose: KeyPurpose) {
  await tx
    .selectFrom('signing_keys')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', purpose)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** A key in use. */
export type KeyInUse = Pick<SigningKeyTables['signing_keys'], 'id' | 'signed_until'>

/** The newest of a tenant's keys in use; undefined when there is none. Ids are ordered by their birth. */
export async function findNewestKey(
  read: Readable,
  tenantId: string,
  purpose: KeyPurpose,
): Promise<KeyInUse | undefined> {
  const rows = await keysInUse(read, { tenantId, purpose })
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1)
}

/** Asked for the greatest of them alone, SQLite plans anew at each execution. */
const keysInUse = compileOnce((read, { tenantId, purpose }: { tenantId: string; purpose: KeyPurpose }) =>
  read
    .selectFrom('signing_keys')
    .select(['id', 'signed_until'])
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', purpose)
    .where('retired_at', 'is', null),
)

/** Makes a key verify until then at least, whether it is in use or retired. */
export const extendVerification = compileOnce(
  (tx, { tenantId, kid, until }: { tenantId: string; kid: string; until: number }) =>
    tx
      .updateTable('signing_keys')
      .set({
        signed_until: until,
        verifies_until: sql`case when verifies_until < ${until} then ${until} else verifies_until end`,
      })
      .where('id', '=', kid)
      .where('tenant_id', '=', tenantId)
      .where((key) => key.or([key('signed_until', 'is', null), key('signed_until', '<', until)])),
)
