import { Type } from 'typebox'
import { toInstant } from '../../kit/clock.ts'
import type { CatalogRow } from '../tables.ts'

/** An instant as it is answered. */
export const wireInstant = (description: string) =>
  Type.Unsafe<string>({ type: 'string', format: 'date-time', description })

/** What every answer says of its record's history. */
export const wireHeadFields = {
  createdAt: wireInstant('When it was created (UTC).'),
  updatedAt: wireInstant('When it last changed (UTC).'),
  revisionNumber: Type.Integer({ description: 'Counts its changes; If-Match takes it.' }),
}

/** A record's history as it is answered. */
export const wireHead = ({ created_at, updated_at, revision_number }: CatalogRow) => ({
  createdAt: toInstant(created_at),
  updatedAt: toInstant(updated_at),
  revisionNumber: revision_number,
})
