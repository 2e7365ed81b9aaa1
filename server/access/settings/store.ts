import { completeValue, formOf } from '../../../catalog-schema/form.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import type { Stamp } from '../../kit/records/stamp.ts'
import {
  type LostDevices,
  type Provider,
  settingsFields,
  type TrustedIssuer,
  type WebhookRetention,
} from './contract.ts'

export interface Settings {
  lostDevices: LostDevices
  provider: Provider
  trustedIssuers: TrustedIssuer[]
  webhookRetention: WebhookRetention
}

/** The settings of a tenant as they stand, and since when; null where nothing was ever set. */
export interface StoredSettings {
  settings: Settings
  updatedAt: number | null
  revisionNumber: number
}

const form = formOf(Closed(settingsFields))

/** Settings with every field present. */
export const completeSettings = (given: object) =>
  completeValue(form, { lostDevices: {}, provider: {}, webhookRetention: {}, ...given }) as Settings

const settingsOf = compileOnce((read, { tenantId }: { tenantId: string }) =>
  read
    .selectFrom('tenant_settings')
    .select(['settings', 'updated_at', 'revision_number'])
    .where('tenant_id', '=', tenantId),
)

/** The tenant's settings, defaults where it has set nothing. */
export async function readSettings(read: Readable, tenantId: string): Promise<StoredSettings> {
  const [row] = await settingsOf(read, { tenantId })
  if (!row || row.revision_number === 0) return { settings: completeSettings({}), updatedAt: null, revisionNumber: 0 }
  const settings = completeSettings(JSON.parse(row.settings) as object)
  return { settings, updatedAt: row.updated_at, revisionNumber: row.revision_number }
}

/** The tenant's settings, theirs to change until the transaction ends. */
export async function lockSettings(tx: Tx, { tenantId, now, actor }: Stamp): Promise<StoredSettings> {
  await tx
    .insertInto('tenant_settings')
    .values({ tenant_id: tenantId, settings: '{}', updated_at: now, updated_by: actor, revision_number: 0 })
    .onConflict((conflict) =>
      conflict
        .column('tenant_id')
        .doUpdateSet((eb) => ({ revision_number: eb.ref('tenant_settings.revision_number') })),
    )
    .execute()
  return readSettings(tx, tenantId)
}

/** Writes the whole of a tenant's settings in place of those before. */
export async function writeSettings(tx: Tx, stamp: Stamp, settings: Settings, before: StoredSettings): Promise<void> {
  await tx
    .updateTable('tenant_settings')
    .set({
      settings: JSON.stringify(settings),
      updated_at: stamp.now,
      updated_by: stamp.actor,
      revision_number: before.revisionNumber + 1,
    })
    .where('tenant_id', '=', stamp.tenantId)
    .execute()
}
