import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { type ListSource, readRecords } from '../../kit/records/store.ts'
import { isAttached, productOf } from './feature-references.ts'
import { addOnFilterFields } from './fields.ts'
import type { AddOnRow } from './items.ts'

export const addOnSource: ListSource<AddOnRow> = { table: 'add_ons', fields: addOnFilterFields }

/** The id of the live add-on with a code. */
export const findAddOnByCode = (readable: Readable, tenantId: string, code: string) =>
  readable
    .selectFrom('add_ons')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('code', '=', code)
    .where('is_deleted', '=', no)
    .executeTakeFirst()

/** The products whose features these references name, each once; a reference to nothing names none. */
export async function productsNamedBy(
  readable: Readable,
  tenantId: string,
  references: readonly string[],
): Promise<string[]> {
  const attached = references.filter(isAttached)
  const entries = await readRecords(
    readable,
    'features',
    tenantId,
    references.filter((reference) => !isAttached(reference)),
  )
  const productIds = [...attached.map(productOf), ...entries.map((entry) => entry.product_id)]
  return [...new Set(productIds)]
}
