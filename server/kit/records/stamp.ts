import type { WriteContext } from '../context.ts'
import type { RecordRow } from './record-row.ts'

/** Whose record it is, who writes it, and when. */
export interface Stamp {
  tenantId: string
  actor: string
  now: number
}

/** The stamp of what a request writes. */
export const stampOf = ({ tenant, actor, now }: WriteContext): Stamp => ({ tenantId: tenant.id, actor, now })

/** What a row keeps of the one it replaces: its birth, and the revision it goes on from. */
export type StoredHead = Pick<RecordRow, 'created_at' | 'revision_number'>

/** The columns that every record has, as this write leaves them. */
export const rowHead = (id: string, before: StoredHead | undefined, stamp: Stamp): RecordRow => ({
  id,
  tenant_id: stamp.tenantId,
  is_deleted: 0,
  created_at: before?.created_at ?? stamp.now,
  updated_at: stamp.now,
  updated_by: stamp.actor,
  revision_number: (before?.revision_number ?? 0) + 1,
})
