import type { Static } from 'typebox'
import { addOnFields } from '../../../catalog-schema/add-on.ts'
import type { Readable } from '../../database/database.ts'
import { tailOf } from '../../kit/records/answers.ts'
import { fromColumns, storedFields } from '../../kit/records/columns.ts'
import { getRecord, readRecords } from '../../kit/records/store.ts'
import { toWire as featuresToWire } from '../features/wire.ts'
import { listEntriesOf } from '../records/entries-of.ts'
import type { AddOnRecord } from './contract.ts'
import { attachedReference, isAttached, productOf } from './feature-references.ts'
import { type AddOnRow, readReferences } from './items.ts'

type Wire = Static<typeof AddOnRecord>
const storage = storedFields(addOnFields)

/** Add-ons as they are answered, each with the catalog entries it is about; of a feature that is only attached to its product there is none. */
export async function toWire(readable: Readable, tenantId: string, rows: readonly AddOnRow[]): Promise<Wire[]> {
  const references = [...new Set(rows.flatMap(readReferences))]
  const ids = references.filter((reference) => !isAttached(reference))
  const laterIds = await entriesMadeLater(readable, tenantId, references.filter(isAttached))
  const found = await readRecords(readable, 'features', tenantId, [...new Set([...ids, ...laterIds.values()])])
  const entryOf = new Map((await featuresToWire(readable, tenantId, found)).map((entry) => [entry.id, entry]))
  return rows.map((row) => ({
    id: row.id,
    suiteId: row.suite_id,
    ...(fromColumns(storage, row, {}) as Pick<Wire, keyof typeof addOnFields>),
    features: readReferences(row).flatMap((reference) => entryOf.get(laterIds.get(reference) ?? reference) ?? []),
    ...tailOf(row),
  }))
}

/** The ids of the entries that attached features got after the add-on named them, by reference. */
async function entriesMadeLater(readable: Readable, tenantId: string, references: readonly string[]) {
  const productIds = new Set(references.map(productOf))
  const entries = await listEntriesOf(readable, tenantId, [...productIds])
  const idOf = new Map(entries.map(({ id, productId, featureCode }) => [attachedReference(productId, featureCode), id]))
  return new Map(references.flatMap((reference) => (idOf.has(reference) ? [[reference, idOf.get(reference)!]] : [])))
}

/** One add-on as it is answered; throws the not-found problem. */
export async function answerAddOn(readable: Readable, tenantId: string, id: string): Promise<Wire> {
  return (await toWire(readable, tenantId, [await getRecord(readable, 'add_ons', tenantId, id, 'add-on')]))[0]!
}
