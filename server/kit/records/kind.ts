import type { TProperties } from 'typebox'
import { completeValue, formOf, sameValue } from '../../../catalog-schema/form.ts'
import { Closed, type FullOf } from '../../../catalog-schema/shapes.ts'
import type { Tables } from '../../database/tables.ts'
import type { WriteContext } from '../context.ts'
import { newId } from '../ids.ts'
import { tailOf } from './answers.ts'
import { mergeBody, readBody } from './body.ts'
import { commonFilterFields, filterFieldsOf, fromColumns, storedFields, toColumns } from './columns.ts'
import type { RecordRow } from './record-row.ts'
import { rowHead, stampOf } from './stamp.ts'
import { type RecordTable, writeRecords } from './store.ts'

/**
 * How records outside the catalog are kept whose fields each have a column of the same name, but for those of `elsewhere`:
 * read from a body, compared, written and answered.
 */
export function recordKind<T extends RecordTable, F extends TProperties, E extends keyof F & string = never>(
  table: T,
  fields: F,
  elsewhere: readonly E[] = [],
) {
  type Row = Tables[T] & RecordRow
  type Item = FullOf<F>
  type Elsewhere = Pick<Item, E & keyof Item>
  const storage = storedFields(fields, elsewhere)
  const form = formOf(Closed(fields))
  const toItem = (row: Row, others: Elsewhere) => fromColumns(storage, row, others) as Item
  return {
    table,
    fields,
    filterFields: [...commonFilterFields(table), ...filterFieldsOf(table, storage)],
    toItem,

    /** The record as it is answered. */
    toWire: (row: Row, others: Elsewhere) => ({ id: row.id, ...toItem(row, others), ...tailOf(row) }),

    /** The whole record that a body makes of the one before it, or of none. */
    read: (body: object, before?: Item, clears?: Record<string, string>) =>
      completeValue(form, mergeBody(fields, before ?? {}, readBody(fields, body, clears))) as Item,

    /** Writes a record in place of the one before it, and answers its row; nothing moves when it is as before. `derived` are columns that follow from its fields. */
    async write(
      context: WriteContext,
      item: Item,
      before?: { row: Row; item: Item },
      derived: Partial<Tables[T]> = {},
    ): Promise<Row> {
      if (before && sameValue(before.item, item)) return before.row
      const head = rowHead(before?.row.id ?? newId(), before?.row, stampOf(context))
      const row = { ...head, ...toColumns(storage, item), ...derived } as Row
      await writeRecords(context.tx, table, [row])
      return row
    },
  }
}
