import { keyText, matchKey } from '../../catalog-schema/keys.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import { pointerOf, repeatedPointerOf } from '../../catalog-schema/paths.ts'
import { type PlanError, type PlanWarning, planImport } from '../../catalog-schema/plan.ts'
import type { WantedFeature } from '../../catalog-schema/rules/rule.ts'
import { formatVersion, type Snapshot } from '../../catalog-schema/snapshot.ts'
import { nearest } from '../nearest.ts'
import type { UnframedFinding } from './findings.ts'
import { findKnownKeys, namedKeys } from './known-keys.ts'
import type { LocatedItem } from './located-items.ts'
import { type MendedItem, mayFollow } from './mended-items.ts'
import { placeOf, type SnapshotReading } from './snapshot-reading.ts'

/** The items that are not sound; those of them that can be judged without what is wrong; and all that are misshapen, as they were probably meant. */
export interface UnsoundItems {
  unsound: ReadonlySet<LocatedItem>
  mended: ReadonlyMap<LocatedItem, MendedItem>
  meant: readonly LocatedItem[]
}

/**
 * What importing the sound items into an empty environment would refuse or warn of, and of those that can be judged without
 * what is wrong with them what importing them, too, would. What is said of an item only because another is not sound, a field
 * was taken away or a file could not be read, is left out: it may well be right.
 */
export function findRuleBreaches(
  reading: SnapshotReading,
  items: readonly LocatedItem[],
  unsoundItems: UnsoundItems,
  shownName: (name: string) => string,
): UnframedFinding[] {
  const { unsound, mended } = unsoundItems
  let describe: Describe | undefined
  const findIn = (judged: readonly LocatedItem[], isAbout: (located: LocatedItem) => boolean) => {
    const byKind = Object.groupBy(judged, ({ kind }) => kind)
    const { errors, warnings } = planImport(new CatalogModel(), soundSnapshot(reading, byKind))
    return [...errors, ...warnings].flatMap((one) => {
      const located = one.index === undefined ? undefined : byKind[one.kind]?.[one.index]
      if (located === undefined || !isAbout(located)) return []
      describe ??= describing(reading, items, unsoundItems, shownName)
      return describe(one, located)
    })
  }
  const ofSound = findIn(
    items.filter((located) => !unsound.has(located)),
    () => true,
  )
  if (mended.size === 0) return ofSound
  const withMended = items.flatMap((one) => (unsound.has(one) ? (mended.get(one)?.located ?? []) : one))
  const isMended = new Set([...mended.values()].map(({ located }) => located))
  return [...ofSound, ...findIn(withMended, (located) => isMended.has(located))]
}

type Describe = (one: PlanError | PlanWarning, located: LocatedItem) => UnframedFinding[]

/** So many keys are looked at for one that is like a missing one: of thousands that are missing, most are alike. */
const mostCompared = 100_000

/** Tells of what is wrong with an item where that is, if it is to be told at all. */
function describing(
  reading: SnapshotReading,
  items: readonly LocatedItem[],
  { unsound, mended, meant }: UnsoundItems,
  shownName: (name: string) => string,
): Describe {
  const gapsOf = new Map([...mended.values()].map(({ located, gaps }) => [located, gaps]))
  const known = findKnownKeys([...items, ...meant])
  const sound = items.filter((located) => !unsound.has(located))
  const soundKeys = new Set(sound.map(({ kind, key }) => matchKey(kind, key)))
  const unsoundKeys = new Set([...unsound, ...meant].map(({ key }) => key).filter((key) => !soundKeys.has(key)))

  const leans = ({ kind, item }: LocatedItem) =>
    namedKeys(kind, item).some((key) => unsoundKeys.has(key)) || (reading.isPartial && !namesOnly(kind, item, known))

  const misshapenCodes = new Set([...unsound].map(({ item }) => item.featureCode))
  const isMisshapen = ({ featureCode, products }: WantedFeature) =>
    misshapenCodes.has(featureCode) &&
    products.some((product) => unsoundKeys.has(`feature:${product}/${keyText(featureCode)}`))

  let compared = 0
  const likeliest = (missing: string) => {
    compared += known.size
    return compared > mostCompared ? undefined : findNearestKey(missing, known)
  }

  const placeText = ({ origin }: LocatedItem, pointer: string) => {
    const { file, line, col } = placeOf(reading, origin, pointer, 'value')
    return `${shownName(file)}:${line}:${col}`
  }

  return (one, located) => {
    const { item, origin } = located
    const isError = 'codeName' in one
    const isUnresolved = isError && one.codeName === 'catalog.unresolved_reference'
    const missing = isError ? one.missing : undefined
    const isAnswered =
      (missing !== undefined && known.has(missing)) || (isError && one.wanted !== undefined && isMisshapen(one.wanted))
    // What is missing inside an item, such as a plan of a plan set, has no key of its own.
    if (isUnresolved && (reading.isPartial || isAnswered)) return []
    if ((!isUnresolved || (missing === undefined && one.wanted === undefined)) && leans(located)) return []
    const first = pointerOf(one.kind, item, one.path)
    const isRepeated = isError && one.codeName === 'catalog.duplicate_key'
    const second = isRepeated ? repeatedPointerOf(one.kind, item, one.path) : undefined
    const pointer = second ?? first
    if (mayFollow(pointer, isUnresolved, gapsOf.get(located) ?? [])) return []
    const suggestion = missing === undefined ? undefined : likeliest(missing)
    const message = missing === undefined ? one.message : absence(missing, suggestion)
    return [
      {
        ...placeOf(reading, origin, pointer, 'value'),
        severity: isError ? 'error' : 'warning',
        code: isError ? one.code : null,
        codeName: isError ? one.codeName : one.code,
        key: one.key,
        pointer: origin.pointer + pointer,
        message: second === undefined ? message : `${message}; it is already at ${placeText(located, first)}`,
        suggestion,
      },
    ]
  }
}

/** Offline nothing is known of what an environment has. */
const absence = (missing: string, meant: string | undefined) =>
  meant === undefined
    ? `there is no ${missing} in these files; what only the environment has is named under "references" as External`
    : `there is no ${missing} in these files; did you mean ${meant}?`

function namesOnly(kind: Kind, item: object, known: ReadonlySet<string>): boolean {
  return namedKeys(kind, item).every((key) => known.has(key) || known.has(key.replace(/^product:/, 'suite:')))
}

function soundSnapshot(reading: SnapshotReading, byKind: Partial<Record<Kind, LocatedItem[]>>): Snapshot {
  const snapshot: Snapshot = { formatVersion }
  if (reading.snapshot.references !== undefined) snapshot.references = reading.snapshot.references
  for (const kind of kinds) {
    const section = sectionOf[kind]
    if (reading.snapshot[section] !== undefined) snapshot[section] = (byKind[kind] ?? []).map(({ item }) => item)
  }
  return snapshot
}

/** The key of the same kind that is most like the one that is missing. */
function findNearestKey(missing: string, known: ReadonlySet<string>): string | undefined {
  const prefix = missing.slice(0, missing.indexOf(':') + 1)
  const candidates = [...known].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
  const [meant] = nearest(missing.slice(prefix.length), candidates)
  return meant === undefined ? undefined : prefix + meant
}
