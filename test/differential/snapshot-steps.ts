import type { Draw } from './draw.ts'
import type { Known } from './known.ts'
import { onOne, type StepKind, stepKind } from './steps.ts'

type Json = ReturnType<typeof JSON.parse>

const sections = [
  'tags',
  'products',
  'featureCatalog',
  'monitoredAssets',
  'suites',
  'plans',
  'addOns',
  'entitlementOffers',
  'ratingCampaigns',
]

const statuses = ['status', 'lifecycleStatus']

/** A snapshot that was exported before, perhaps with some of it left out, renamed, or taken from another. */
function snapshot(draw: Draw, known: Known): Json | undefined {
  const found = known.one('snapshot')?.snapshot
  if (!found) return undefined
  const changed = structuredClone(found)
  const other = known.one('snapshot').snapshot
  // No status goes back to what it was.
  const isWithoutStatus = draw.chance(0.7)
  for (const section of sections) {
    if (!changed[section]) continue
    const fate = draw.below(20)
    if (fate < 2) delete changed[section]
    else if (fate < 4 && other[section]) changed[section] = structuredClone(other[section])
    else if (fate < 7) changed[section] = changed[section].filter(() => draw.chance(0.7))
    if (isWithoutStatus) for (const item of changed[section] ?? []) for (const name of statuses) delete item[name]
    for (const item of changed[section] ?? []) if (draw.chance(0.1)) alter(draw, item)
  }
  changed.scope = changed.scope.filter((section: string) => changed[section])
  const { references, counts, warnings, ...rest } = changed
  return draw.chance(0.8) ? rest : changed
}

function alter(draw: Draw, item: Json): void {
  const field = draw.oneOf(Object.keys(item))
  if (draw.chance(0.2)) delete item[field]
  else if (draw.chance(0.3)) item.name = 'Renamed'
  else if (typeof item[field] === 'number') item[field] += 1
  else if (typeof item[field] === 'boolean') item[field] = !item[field]
  else if (Array.isArray(item[field])) item[field] = draw.chance(0.5) ? item[field].toReversed() : item[field].slice(1)
}

const withSnapshot =
  (more: (draw: Draw, known: Known) => object = () => ({})) =>
  (draw: Draw, known: Known) => {
    const found = snapshot(draw, known)
    return found && { snapshot: found, ...more(draw, known) }
  }

const source = (draw: Draw) => ({ source: draw.maybe(0.3, () => 'ci') })

/** What an import is to find, as a comparison of the same snapshot told it. */
const compared = (known: Known) => known.one('comparison')

export const snapshotSteps: StepKind[] = [
  stepKind(
    'admin.catalog.export',
    1,
    (draw) => ({ scope: draw.maybe(0.3, () => draw.several(4, () => draw.oneOf(sections)).join(',') || 'tags') }),
    (known, answer) => known.remember('snapshot', { id: answer.exportedAt + answer.scope, snapshot: answer }),
  ),
  stepKind(
    'admin.catalog.compare',
    1,
    withSnapshot((draw) => ({ include: draw.maybe(0.2, () => 'unchanged') })),
    (known, answer, input) =>
      known.remember('comparison', { id: answer.comparedAt, snapshot: input.snapshot, ...answer }),
  ),
  stepKind(
    'admin.catalog.import',
    0.7,
    withSnapshot((draw, known) => ({
      ...source(draw),
      expectedRevision: draw.maybe(0.2, () => compared(known)?.environmentRevision),
    })),
  ),
  stepKind('admin.catalog.apply', 0.5, (draw, known) => {
    const found = compared(known)
    if (!found) return undefined
    const expected = found.items.map(({ key, fingerprint }: Json) => [key, fingerprint])
    return { snapshot: found.snapshot, expected: Object.fromEntries(expected), ...source(draw) }
  }),
  stepKind('admin.catalog.drift', 0.4),
  stepKind('admin.catalog.imports.list', 0.4),
  onOne('admin.catalog.imports.get', 0.2, undefined, { id: 'importId' }),
  {
    ...onOne('admin.catalog.imports.before', 0.4, undefined, { id: 'importId' }),
    // A rollback imports what an import has overwritten.
    learn: (known, answer, { importId }) => known.remember('snapshot', { id: importId, snapshot: answer }),
  },
]
