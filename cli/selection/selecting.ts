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
 * The part of a snapshot that the patterns mean, with what the items that change need: what the environment lacks, and
 * what it has so that they would be refused or warned of. So the part can be imported wherever the whole can, and what
 * serves as it is stays as it is. Raises cli.usage for a pattern that means nothing, or when something excluded is
 * needed and not there.
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
  const external = statedExternal(snapshot)
  const chosen = new Set(written.filter(({ key }) => isMeant(patterns, key)))
  const cameFor = new Map<MergedItem, string>()

  const bring = (item: MergedItem, forKey: string, vital: boolean): boolean => {
    if (item.index === undefined || item.action === 'unchanged' || chosen.has(item)) return false
    if (isExcluded(patterns, item.key)) {
      if (vital) throw excludedButNeeded(item.key, forKey)
      return false
    }
    chosen.add(item)
    cameFor.set(item, forKey)
    return true
  }
  const bringAll = (needed: Iterable<MergedItem>, forKey: string) =>
    [...needed].map((item) => bring(item, forKey, true)).includes(true)
  /** A set can be walked while it grows. */
  const close = () => {
    for (const item of chosen)
      if (item.action !== 'unchanged') {
        for (const needed of neededBy(items, item)) if (needed.action === 'create') bring(needed, item.key, true)
        for (const wanted of wantedBy(items, item)) if (wanted.action === 'create') bring(wanted, item.key, false)
      }
  }
  close()
  let warnedOfWhole: Set<string> | undefined
  for (let grew = true; grew; close()) {
    grew = false
    // What is stated as External is for the environment to have: nothing that came along would stand in for it.
    const { errors, warnings } = planImport(environment, partOf(snapshot, items, chosen), external)
    for (const warning of warnings) {
      warnedOfWhole ??= new Set(planImport(environment, snapshot, external).warnings.map(said))
      const item = warnedOfWhole.has(said(warning)) ? undefined : items.find(warning.kind, warning.key)
      if (!item) continue
      if (!chosen.has(item)) grew = bring(item, changedFor(items, item, chosen), false) || grew
      for (const near of [...neededBy(items, item), ...wantedBy(items, item)])
        grew = bring(near, item.key, false) || grew
    }
    for (const { kind, key } of errors) {
      const item = items.find(kind, key)
      if (!item) continue
      const came = chosen.has(item)
        ? bringAll(neededBy(items, item), key) || bringAll(reachedFrom(items, item), key)
        : bring(item, changedFor(items, item, chosen), true)
      grew = came || grew
    }
  }
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

const said = ({ code, key, path }: { code: string; key: string; path: string }) => `${code} ${key} ${path}`

/** Everything an item names, and what that names, and so on, whether it changes or not. */
function reachedFrom(items: MergedItems, start: MergedItem): Set<MergedItem> {
  const reached = new Set(neededBy(items, start))
  for (const item of reached) for (const next of neededBy(items, item)) reached.add(next)
  return reached
}

/** The chosen item for whose change another one must change too: one that it names, or whatever else was chosen. */
function changedFor(items: MergedItems, item: MergedItem, chosen: ReadonlySet<MergedItem>): string {
  const changing = [...chosen].filter(({ action }) => action !== 'unchanged')
  const named = new Set(neededBy(items, item))
  return (changing.find((one) => named.has(one)) ?? changing[0])?.key ?? item.key
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
