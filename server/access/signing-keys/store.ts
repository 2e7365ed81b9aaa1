import { type InferResult, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { storeOf } from '../../kit/records/store.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { KeyPurpose, SigningKey } from './key-pairs.ts'
import type { SigningKeyTables } from './tables.ts'

/** Where a private key stands, bound into its seal. */
export const placeOf = (tenantId: string, kid: string) => `key/${tenantId}/${kid}`

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

/** The tenant's keys in use and retired, without their private halves. */
export const selectSigningKeys = (read: Readable, tenantId: string) =>
  read
    .selectFrom('signing_keys')
    .select(['id', 'purpose', 'algorithm', 'public_jwk', 'created_at', 'retired_at', 'verifies_until'])
    .where('tenant_id', '=', tenantId)
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
 * Retires every key of the purpose; each verifies as long as a token it signed is good: `until` at least, and where it was
 * not written down how long that is, until `unrecorded`. Without either it verifies for ever.
 */
export async function retireKeys(
  tx: Tx,
  tenantId: string,
  purpose: KeyPurpose,
  now: number,
  verifies?: { until: number; unrecorded: number },
) {
  const { until, unrecorded } = verifies ?? {}
  await tx
    .updateTable('signing_keys')
    .set({
      retired_at: now,
      verifies_until: verifies
        ? sql`case when signed_until is null then ${unrecorded} when signed_until > ${until} then signed_until else ${until} end`
        : null,
    })
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', purpose)
    .where('retired_at', 'is', null)
    .execute()
}

/** Lets one rotation of a tenant's keys wait for another: each would leave the other's new key in use beside its own. */
export async function lockKeys(tx: Tx, tenantId: string, purpose: KeyPurpose) {
  const keys = tx
    .selectFrom('signing_keys')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', purpose)
    .orderBy('id')
  if (storeOf(tx) === 'postgres') await keys.forNoKeyUpdate().execute()
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

/** Makes a key verify until then at least, whether it is in use or retired; `atFirst` where nothing is written down yet. */
export const extendVerification = compileOnce(
  (tx, { tenantId, kid, until, atFirst }: { tenantId: string; kid: string; until: number; atFirst: number }) =>
    tx
      .updateTable('signing_keys')
      .set({
        signed_until: sql`case when signed_until is null then cast(${atFirst} as bigint) else cast(${until} as bigint) end`,
        verifies_until: sql`case when verifies_until < ${until} then ${until} else verifies_until end`,
      })
      .where('id', '=', kid)
      .where('tenant_id', '=', tenantId)
      .where((key) => key.or([key('signed_until', 'is', null), key('signed_until', '<', until)])),
)
