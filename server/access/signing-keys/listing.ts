import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import type { Page } from '../../kit/page.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import { type PublicKeyRow, publicColumns } from './store.ts'

const fields: [ColumnField, ...ColumnField[]] = [
  { name: 'id', column: 'id', nullable: false, type: 'uuid' },
  { name: 'purpose', column: 'purpose', nullable: false, type: 'text' },
  { name: 'algorithm', column: 'algorithm', nullable: false, type: 'text' },
  { name: 'createdAt', column: 'created_at', nullable: false, type: 'instant' },
  { name: 'retiredAt', column: 'retired_at', nullable: true, type: 'instant' },
  { name: 'verifiesUntil', column: 'verifies_until', nullable: true, type: 'instant' },
]

/** A page of the tenant's keys in use and retired, oldest first unless a sortOrder says otherwise; throws the validation problem. */
export const listPage = (read: Readable, tenantId: string, query: ListQuery): Promise<Page<PublicKeyRow>> =>
  listRows(read.selectFrom('signing_keys').where('tenant_id', '=', tenantId), fields, 'createdAt', query, publicColumns)
