import { Type } from 'typebox'
import { Flag, Uuid } from '../../../catalog-schema/scalars.ts'
import { toInstant } from '../instants.ts'
import type { RecordRow } from './record-row.ts'

export { NullId, NullInstant, NullWords } from '../../vocabulary/event-data-fields.ts'

/** A date-time as it is answered. */
export const Instant = (description: string) =>
  Type.Unsafe<string>({ type: 'string', format: 'date-time', description })

/** The id, as every answered record has it. */
export const recordId = { id: Uuid({ description: 'The id of the record.' }) }

const isDeleted = Flag({ default: false, description: 'Always false: a deleted record is not answered.' })
const revisionNumber = Type.Unsafe<number>({
  type: 'integer',
  description: 'Counts the changes of the record; If-Match asks for it.',
})

/** What a record is answered with beside its fields. */
export const recordTail = {
  isDeleted,
  createdAt: Instant('When it was created.'),
  updatedAt: Instant('When it was last changed.'),
  revisionNumber,
}

/** What the record of a row is answered with beside its fields. */
export const tailOf = (row: RecordRow) => ({
  isDeleted: row.is_deleted === 1,
  createdAt: toInstant(row.created_at),
  updatedAt: toInstant(row.updated_at),
  revisionNumber: row.revision_number,
})

/** The same under the names that features and rating campaigns give to their times. */
export const stampedTail = {
  isDeleted,
  creationTimeStamp: recordTail.createdAt,
  lastUpdateTimeStamp: recordTail.updatedAt,
  revisionNumber,
}

/** The same with the times under those other names. */
export function stampedTailOf(row: RecordRow) {
  const { createdAt, updatedAt, ...rest } = tailOf(row)
  return { ...rest, creationTimeStamp: createdAt, lastUpdateTimeStamp: updatedAt }
}
