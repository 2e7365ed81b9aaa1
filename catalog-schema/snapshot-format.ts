import { type Section, sections } from './order.ts'

/** The one format of snapshots that this version reads and writes. */
export const formatVersion = '1.0'

export interface Reference {
  kind: string
  naturalKey: Record<string, string | null>
  presence: 'Included' | 'External'
  referencedBy: string[]
}

/** A catalog as one document. Sections that are absent are not spoken of at all. */
export type Snapshot = {
  formatVersion: string
  exportedAt?: string
  sourceTenantId?: string | null
  scope?: string[]
  counts?: Record<string, number>
  references?: Record<string, Reference>
  warnings?: { code: string; key: string; message: string }[]
} & { [S in Section]?: Record<string, unknown>[] }

/** The sections a snapshot speaks of: present, and in its scope when it states one. */
export function spokenSections(snapshot: Snapshot): Section[] {
  return sections.filter(
    (section) => Array.isArray(snapshot[section]) && (!snapshot.scope || snapshot.scope.includes(section)),
  )
}
