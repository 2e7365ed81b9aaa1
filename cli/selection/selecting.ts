import { CatalogModel } from '../../catalog-schema/model.ts'
import { sectionOf } from '../../catalog-schema/order.ts'
import { planImport, statedExternal } from '../../catalog-schema/plan.ts'
import { type MergedItem, mergeSnapshot } from '../../catalog-schema/planning/merging.ts'
import { checkSnapshot, type Snapshot } from '../../catalog-schema/snapshot.ts'
import { Problem } from '../problems.ts'
import { MergedItems, neededBy } from './needs.ts'
import { isExcluded, isMeant, type Patterns, refuseUnmatched } from './patterns.ts'
import { wantedBy } from './wants.ts'

/** What was chosen of a catalog, and what came along with it. */
export interface Selection extends Patterns {
  /** Items that no pattern means, and the item that each came along for; in import order. */
  alsoNeeded: { key: string; neededBy: string }[]
}

export interface SelectedPart {
  snapshot: Snapshot
  selection: Selection
  /** Whether the selection speaks of a key that only the environment has. */
  isMeantOnlyHere(key: string): boolean
}

/**
 * The part of a snapshot that the patterns mean, with what the items that change need: what the environment lacks, and of
 * what it has otherwise the least without which they would be refused, or warned of. So the part can be imported wherever
 * the whole can, and what serves as it is stays as it is. Raises cli.usage for a pattern that means nothing, or when
 * something excluded is needed.
 */
export function selectPart(environment: CatalogModel, snapshot: Snapshot, patterns: Patterns): SelectedPart {
  const merging = mergeSnapshot(environment, snapshot)
  const items = new MergedItems(merging)
  const written = items.all.filter(({ index }) => index !== undefined)
  refuseUnmatched(
    patterns,
    written.map(({ key }) => key),
  )
  const onlyHere = new Set(merging.onlyHere.filter(({ path }) => path === undefined).map(({ key }) => key))
  const meant = written.filter(({ key }) => isMeant(patterns, key))
  const others = written.filter(({ action, key }) => action === 'update' && !isMeant(patterns, key))
  const [excluded, free] = partition(others, ({ key }) => isExcluded(patterns, key))

  // What is stated as External is for the environment to have: nothing that came along would stand in for it.
  const external = statedExternal(snapshot)
  const planWith = (more: readonly MergedItem[]) =>
    planImport(environment, partOf(snapshot, items, withLacking(items, [...meant, ...more], patterns).chosen), external)
  const errorsWith = (more: readonly MergedItem[]) => planWith(more).errors.map(said)
  const troubleWith = (more: readonly MergedItem[]) => {
    const { errors, warnings } = planWith(more)
    return [...errors, ...warnings].map(said)
  }

  const anyhow = once(() => new Set(troubleWith(free)))
  const needed = leastOf(free, (more) => troubleWith(more).every((trouble) => anyhow().has(trouble)))
  const evenWhole = once(() => new Set(errorsWith(others)))
  const avoidable = errorsWith(needed).filter((error) => !evenWhole().has(error))
  const [missed] = leastOf(excluded, (more) => {
    if (avoidable.length === 0) return true
    const errors = errorsWith([...free, ...more])
    return !avoidable.some((error) => errors.includes(error))
  })
  const { chosen, cameFor } = withLacking(items, [...meant, ...needed], patterns, 'refusing what is excluded')
  if (missed) throw excludedButNeeded(missed.key, neederOf(items, missed, chosen))
  for (const item of needed) cameFor.set(item, neederOf(items, item, chosen))
  return {
    snapshot: partOf(snapshot, items, chosen),
    selection: {
      ...patterns,
      alsoNeeded: items.all.flatMap((item) => {
        const forKey = cameFor.get(item)
        return forKey === undefined ? [] : [{ key: item.key, neededBy: forKey }]
      }),
    },
    isMeantOnlyHere: (key) => onlyHere.has(key) && isMeant(patterns, key),
  }
}

/** Items with all that those of them that change name and the environment lacks, and so on; and what each came along for. */
function withLacking(items: MergedItems, start: readonly MergedItem[], patterns: Patterns, refusing?: string) {
  const chosen = new Set(start)
  const cameFor = new Map<MergedItem, string>()
  const bring = (item: MergedItem, forKey: string, vital: boolean) => {
    if (item.index === undefined || item.action !== 'create' || chosen.has(item)) return
    if (isExcluded(patterns, item.key)) {
      if (vital && refusing) throw excludedButNeeded(item.key, forKey)
      return
    }
    chosen.add(item)
    cameFor.set(item, forKey)
  }
  // A set can be walked while it grows.
  for (const item of chosen)
    if (item.action !== 'unchanged') {
      for (const needed of neededBy(items, item)) bring(needed, item.key, true)
      for (const wanted of wantedBy(items, item)) bring(wanted, item.key, false)
    }
  return { chosen, cameFor }
}

/** The fewest of these with which all is sound, as it is with all of them: each is left out that can be. */
function leastOf<T>(all: readonly T[], isSound: (some: readonly T[]) => boolean): T[] {
  const least = (kept: readonly T[], left: readonly T[]): T[] => {
    if (left.length === 0 || isSound(kept)) return []
    if (left.length === 1) return [...left]
    const [earlier, later] = [left.slice(0, left.length >> 1), left.slice(left.length >> 1)]
    const ofLater = least([...kept, ...earlier], later)
    return [...least([...kept, ...ofLater], earlier), ...ofLater]
  }
  return least([], all)
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
]

/** Works something out when it is first asked for. */
function once<T>(work: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: work() }
    return made.value
  }
}

/** What selectPart selects, the environment being given as the whole snapshot of it. Raises cli.unreadable_answer for one that is none. */
export function selectFromSnapshot(held: Snapshot, snapshot: Snapshot, patterns: Patterns): SelectedPart {
  const [wrong] = checkSnapshot(held)
  if (wrong)
    throw new Problem(
      'cli.unreadable_answer',
      `The exported catalog is not one that this version reads: ${wrong.message}`,
    )
  return selectPart(mergeSnapshot(new CatalogModel(), held).result, snapshot, patterns)
}

/** The chosen items as they are written, sections and items in their order; a section without any is not spoken of. */
function partOf(snapshot: Snapshot, items: MergedItems, chosen: ReadonlySet<MergedItem>): Snapshot {
  const part: Snapshot = { formatVersion: snapshot.formatVersion }
  if (snapshot.sourceTenantId !== undefined) part.sourceTenantId = snapshot.sourceTenantId
  const trusted = Object.entries(snapshot.references ?? {}).filter(([, { presence }]) => presence === 'External')
  if (trusted.length > 0) part.references = Object.fromEntries(trusted)
  for (const { kind, index } of items.all.filter((item) => chosen.has(item))) {
    const section = sectionOf[kind]
    part[section] ??= []
    part[section].push(snapshot[section]![index!]!)
  }
  return part
}

const said = ({ code, key, path }: { code: string | number; key: string; path: string }) => `${code} ${key} ${path}`

/** The chosen item for whose change another one must change: that names it, that it names, or whatever else was chosen. */
function neederOf(items: MergedItems, item: MergedItem, chosen: ReadonlySet<MergedItem>): string {
  const changing = [...chosen].filter((one) => one !== item && one.action !== 'unchanged')
  const named = new Set(neededBy(items, item))
  const naming = (one: MergedItem) => [...neededBy(items, one), ...wantedBy(items, one)].includes(item)
  const needer = changing.find(naming) ?? changing.find((one) => named.has(one)) ?? changing[0]
  return needer?.key ?? item.key
}

function excludedButNeeded(excluded: string, needing: string): Problem {
  return new Problem(
    'cli.usage',
    `${excluded} is excluded, but ${needing} needs it and the environment does not have it as it must be.`,
    {
      hint: `exclude ${needing} too, or do not exclude ${excluded}`,
    },
  )
}
