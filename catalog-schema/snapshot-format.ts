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
} & { [S in Section]?: Record<string, unknown>[] }

/** Sections a snapshot may name in its scope: the catalog's own, and rating campaigns. */
export const scopeNames = [...sections, 'ratingCampaigns'] as const

/** The sections a snapshot speaks of: present, and in its scope when it states one. */
export function spokenSections(snapshot: Snapshot): Section[] {
  return sections.filter(
    (section) => Array.isArray(snapshot[section]) && (!snapshot.scope || snapshot.scope.includes(section)),
  )
}
