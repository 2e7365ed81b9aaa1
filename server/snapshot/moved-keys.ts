import { kindOfKey, matchKey } from '../../catalog-schema/keys.ts'
import type { PlannedItem } from '../../catalog-schema/plan.ts'
import type { Readable } from '../database/database.ts'
import { toInstant } from '../kit/instants.ts'
import { readAuthors } from './authors.ts'
import { findLastImport, measureSince } from './baseline.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Rehearsal } from './importing.ts'

/**
 * The keys that are not as expected, with who changed them last: named and different, or about to change and not named. Of
 * a snapshot that cannot be imported nothing is about to change: what moved may be why, if the snapshot says something of it.
 */
export async function movedKeys(
  readable: Readable,
  tenantId: string,
  { environment, plan }: Rehearsal,
  expected: Readonly<Record<string, string | null>>,
) {
  const fingerprints = new Map(Object.entries(expected).map(([key, fingerprint]) => [matched(key), fingerprint]))
  const isExpected = ({ key, before }: PlannedItem) =>
    fingerprints.get(matched(key)) === (before === undefined ? null : fingerprintOf(before))
  const actions = new Map(plan.items.map(({ key, action }) => [matched(key), action]))
  const isRefused = plan.errors.length > 0
  const changing = plan.items.filter(
    (item) => item.action !== 'unchanged' && !isExpected(item) && (!isRefused || fingerprints.has(matched(item.key))),
  )
  const named = Object.entries(expected).flatMap(([key, fingerprint]) => {
    const kind = kindOfKey(key)
    const item = kind && environment.model.find(kind, key)
    const isSame = fingerprint === (item ? fingerprintOf(item) : null)
    const isChanging = (actions.get(matched(key)) ?? 'unchanged') !== 'unchanged'
    const isBeside = isRefused && !actions.has(matched(key))
    return isSame || isChanging || isBeside ? [] : [{ kind, key }]
  })
  const moved = [...changing, ...named].map(({ kind, key }) => ({ key, item: kind && { kind, key } }))
  if (moved.length === 0) return []
  const measured = await measureSince(readable, tenantId, environment, await findLastImport(readable, tenantId))
  const items = moved.flatMap(({ item }) => item ?? [])
  const authorOf = await readAuthors(readable, tenantId, measured, items)
  return moved.map(({ key, item }) => {
    const author = item && authorOf(item)
    return { key, changedAt: author ? toInstant(author.at) : null, changedBy: author?.by ?? null }
  })
}

/** A key as another that names the same thing is found by: letter case counts, but in tags. */
function matched(key: string): string {
  const kind = kindOfKey(key)
  return kind ? matchKey(kind, key) : key
}
