import type { Static } from 'typebox'
import { addOnFields } from '../../../catalog-schema/add-on.ts'
import type { Readable } from '../../database/database.ts'
import { toWire as featuresToWire } from '../features/wire.ts'
import { tailOf } from '../records/answers.ts'
import { fromColumns, storedFields } from '../records/columns.ts'
import { getRecord, readRecords } from '../records/store.ts'
import type { AddOnRecord } from './contract.ts'
import { type AddOnRow, readReferences } from './items.ts'

type Wire = Static<typeof AddOnRecord>
const storage = storedFields(addOnFields)

/** Add-ons as they are answered, each with the catalog entries it is about. */
export async function toWire(readable: Readable, tenantId: string, rows: readonly AddOnRow[]): Promise<Wire[]> {
  const ids = [...new Set(rows.flatMap(readReferences))].filter((reference) => !reference.includes('/'))
  const entries = await featuresToWire(readable, tenantId, await readRecords(readable, 'features', tenantId, ids))
  const entryOf = new Map(entries.map((entry) => [entry.id, entry]))
  return rows.map((row) => ({
    id: row.id,
    suiteId: row.suite_id,
    ...(fromColumns(storage, row, {}) as Pick<Wire, keyof typeof addOnFields>),
    features: readReferences(row).flatMap((id) => entryOf.get(id) ?? []),
    ...tailOf(row),
  }))
}

/** One add-on as it is answered; throws the not-found problem. */
export async function answerAddOn(readable: Readable, tenantId: string, id: string): Promise<Wire> {
  return (await toWire(readable, tenantId, [await getRecord(readable, 'add_ons', tenantId, id, 'add-on')]))[0]!
}
