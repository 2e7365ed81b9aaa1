import { memberName, pathSegment } from '../../../catalog-schema/member-names.ts'
import { itemSchemas, type Kind, kinds, sectionOf } from '../../../catalog-schema/order.ts'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { createKeyOf } from '../../catalog-files/located-items.ts'
import type { CatalogReport } from '../../tasks/catalog-report.ts'
import { visible } from '../../visible-text.ts'

/** One field of an item: null where there is nothing. */
export interface ReviewField {
  path: string
  before?: unknown
  after?: unknown
}

/** A line of the review: an item that is created or changed, or one that only the target has. */
export interface ReviewItem {
  key: string
  /** The word before the key, as people spell the kind. */
  kind: string
  sign: '+' | '~' | '·'
  /** The key as people read it. */
  label: string
  /** Live entitlements that the change touches. */
  touches: number
  /** What must be allowed for it, as the flags that allow it. */
  needs: readonly string[]
  /** How many fields change; null where that is not counted (all of a new item are new). */
  fieldCount: number | null
  /** Its fields, found when they are asked for. */
  fields(): ReviewField[]
  /** What a text filter looks in, in lower case. */
  searched: string
}

/** What is reviewed: the items of a report, those only in the target last. `needs` names the flags that each key needs. */
export function reviewItems(
  report: Pick<CatalogReport, 'items' | 'onlyHere'>,
  snapshot: Snapshot,
  needs: ReadonlyMap<string, readonly string[]> = new Map(),
): ReviewItem[] {
  const fieldsOfNew = newFields(snapshot)
  const changing = report.items.filter(({ action }) => action !== 'unchanged')
  return [
    ...changing.map(({ kind, key, action, changes = [], affects }): ReviewItem => {
      const isNew = action === 'create'
      return {
        key,
        ...spoken(key),
        sign: isNew ? '+' : '~',
        touches: isNew ? 0 : (affects?.entitlements ?? 0),
        needs: needs.get(key) ?? [],
        fieldCount: isNew ? null : changes.length,
        fields: () => (isNew ? fieldsOfNew(kind as Kind, key) : changes),
        searched: [key, ...changes.map(({ path }) => path)].join(' ').toLowerCase(),
      }
    }),
    ...report.onlyHere.map(
      ({ key, path = '' }): ReviewItem => ({
        key: key + path,
        ...spoken(key, path),
        sign: '·',
        touches: 0,
        needs: [],
        fieldCount: null,
        fields: () => [],
        searched: `${key} ${path}`.toLowerCase(),
      }),
    ),
  ]
}

function spoken(key: string, path = '') {
  const label = path === '' ? key : `${key} ${path.slice(1)}`
  return { kind: visible(key.slice(0, key.indexOf(':'))), label: visible(label) }
}

/** The fields of a new item, from the snapshot that would create it. */
function newFields(snapshot: Snapshot): (kind: Kind, key: string) => ReviewField[] {
  let byKey: Map<string, unknown> | null = null
  return (kind, key) => {
    byKey ??= itemsByKey(snapshot)
    return leavesOf(byKey.get(key), itemSchemas[kind] as Schema, '')
  }
}

function itemsByKey(snapshot: Snapshot): Map<string, unknown> {
  const keyOf = createKeyOf(snapshot)
  return new Map(
    kinds.flatMap((kind) =>
      (snapshot[sectionOf[kind]] ?? []).map((item): [string, unknown] => [keyOf(kind, item), item]),
    ),
  )
}

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  'x-named-by'?: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

/** Every value inside an item that says something, by its path; members of a list by their names where they have some. */
function leavesOf(value: unknown, schema: Schema | undefined, path: string): ReviewField[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return []
  if (typeof value !== 'object') return [{ path, before: null, after: value }]
  const namedBy = schema?.['x-named-by']
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, field]) =>
      leavesOf(field, schema?.properties?.[name], `${path}/${pathSegment(name)}`),
    )
  }
  if (!namedBy) return [{ path, before: null, after: value }]
  return value.flatMap((member: Fields) =>
    leavesOf(member, schema?.items, `${path}/${pathSegment(memberName(namedBy, member))}`),
  )
}
