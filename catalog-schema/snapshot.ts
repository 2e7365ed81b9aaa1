import { Type } from 'typebox'
import { compileCheck } from './checker.ts'
import { itemSchemas, kindOfSection, type Section, sections } from './order.ts'
import { Closed } from './shapes.ts'

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

const sectionLists = Object.fromEntries(
  sections.map((section) => [
    section,
    Type.Unsafe<Record<string, unknown>[]>({
      type: ['array', 'null'],
      maxItems: 200_000,
      items: itemSchemas[kindOfSection[section]],
    }),
  ]),
) as Record<Section, ReturnType<typeof Type.Unsafe<Record<string, unknown>[]>>>

const derived = {
  exportedAt: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], 'x-instant': true })),
  sourceTenantId: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100 })),
  scope: Type.Optional(
    Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string', enum: [...scopeNames] } }),
  ),
  counts: Type.Optional(Type.Unsafe<Record<string, number> | null>({ type: ['object', 'null'] })),
  references: Type.Optional(
    Type.Unsafe<Record<string, Reference> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'object' },
    }),
  ),
  warnings: Type.Optional(Type.Unsafe<unknown[] | null>({ type: ['array', 'null'] })),
}

const optionalSections = Object.fromEntries(
  sections.map((section) => [section, Type.Optional(sectionLists[section])]),
) as { [S in Section]: ReturnType<typeof Type.Optional<(typeof sectionLists)[S]>> }

/** A snapshot as compare, import and apply take it. */
export const SnapshotSchema = Closed(
  {
    formatVersion: Type.String({ maxLength: 20, description: `The format of the document: "${formatVersion}".` }),
    ...derived,
    ...optionalSections,
    ratingCampaigns: Type.Optional(Type.Unsafe<unknown[] | null>({ type: ['array', 'null'] })),
  },
  { description: 'A catalog as one document, without ids and time stamps.' },
)

/** One file of a catalog directory: part of a snapshot. */
export const CatalogFileSchema = Closed(
  {
    $schema: Type.Optional(Type.String({ maxLength: 500 })),
    formatVersion: Type.Optional(Type.String({ maxLength: 20 })),
    ...derived,
    ...optionalSections,
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'licet catalog file',
    description: 'A file of a licet catalog directory. Every file is a part; together they are one snapshot.',
  },
)

/** Checks a snapshot's shape and brings its scalars into canonical form in place; what it finds is what is wrong. */
export const checkSnapshot = compileCheck(SnapshotSchema)

/** The sections a snapshot speaks of: present, and in its scope when it states one. */
export function spokenSections(snapshot: Snapshot): Section[] {
  return sections.filter(
    (section) => Array.isArray(snapshot[section]) && (!snapshot.scope || snapshot.scope.includes(section)),
  )
}
