import { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, sectionOf } from '../../catalog-schema/order.ts'
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
  const links = new Links(items)
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
    planImport(environment, partOf(snapshot, items, withLacking(links, [...meant, ...more], patterns).chosen), external)
  const errorsWith = (more: readonly MergedItem[]) => planWith(more).errors.map(said)
  const troubleWith = (more: readonly MergedItem[]) => {
    const { errors, warnings } = planWith(more)
    return [...errors, ...warnings]
  }

  const anyhow = once(() => new Set(troubleWith(free).map(said)))
  const avoidableWith = (more: readonly MergedItem[]) => troubleWith(more).filter((one) => !anyhow().has(said(one)))
  const needed = leastOf(nearTrouble(items, links, free, avoidableWith), (more) => avoidableWith(more).length === 0)
  const evenWhole = once(() => new Set(errorsWith(others)))
  const avoidable = errorsWith(needed).filter((error) => !evenWhole().has(error))
  const [missed] = leastOf(excluded, (more) => {
    if (avoidable.length === 0) return true
    const errors = errorsWith([...free, ...more])
    return !avoidable.some((error) => errors.includes(error))
  })
  const { chosen, cameFor } = withLacking(links, [...meant, ...needed], patterns, 'refusing what is excluded')
  const needers = firstNeeders(links, chosen)
  if (missed) throw excludedButNeeded(missed.key, needers.get(missed) ?? missed.key)
  for (const item of needed) cameFor.set(item, needers.get(item) ?? item.key)
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
function withLacking(links: Links, start: readonly MergedItem[], patterns: Patterns, refusing?: string) {
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
      for (const needed of links.needed(item)) bring(needed, item.key, true)
      for (const wanted of links.wanted(item)) bring(wanted, item.key, false)
    }
  return { chosen, cameFor }
}

/** Of these items those that trouble is about or that are named there, until there is none but what all of them have. */
function nearTrouble(
  items: MergedItems,
  links: Links,
  all: readonly MergedItem[],
  troubleWith: (more: readonly MergedItem[]) => readonly { kind: Kind; key: string }[],
): readonly MergedItem[] {
  const offered = new Set(all)
  const near = new Set<MergedItem>()
  for (;;) {
    const trouble = troubleWith([...near])
    if (trouble.length === 0) return all.filter((one) => near.has(one))
    const before = near.size
    const about = new Set(trouble.map(({ kind, key }) => items.find(kind, key)).filter((item) => item !== undefined))
    const named = (item: MergedItem) => [...links.needed(item), ...links.wanted(item)]
    const bring = (some: Iterable<MergedItem>) => {
      for (const one of some) if (offered.has(one)) near.add(one)
    }
    for (const item of about) bring([item, ...named(item)])
    // What they name may stay as it is, and what that names not.
    if (near.size === before) for (const item of about) for (const next of named(item)) about.add(next)
    if (near.size === before) bring(about)
    if (near.size === before) return all
  }
}

/** How often it is tried to leave something out: each try plans an import. */
const mostTries = 100

/** The fewest of these with which all is sound, as it is with all of them: each is left out that can be, while tries last. */
function leastOf<T>(all: readonly T[], isSound: (some: readonly T[]) => boolean): T[] {
  let tries = 0
  const least = (kept: readonly T[], left: readonly T[]): T[] => {
    if (left.length === 0 || (tries++ < mostTries && isSound(kept))) return []
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

/** What items name, worked out once for each. */
class Links {
  readonly #items: MergedItems
  readonly #needed = new Map<MergedItem, MergedItem[]>()
  readonly #wanted = new Map<MergedItem, MergedItem[]>()

  constructor(items: MergedItems) {
    this.#items = items
  }

  needed(item: MergedItem): readonly MergedItem[] {
    const known = this.#needed.get(item) ?? neededBy(this.#items, item)
    this.#needed.set(item, known)
    return known
  }

  wanted(item: MergedItem): readonly MergedItem[] {
    const known = this.#wanted.get(item) ?? wantedBy(this.#items, item)
    this.#wanted.set(item, known)
    return known
  }
}

/** The chosen item for whose change each must change: the first that names it, that it names, or that changes at all. */
function firstNeeders(links: Links, chosen: ReadonlySet<MergedItem>) {
  const changing = [...chosen].filter(({ action }) => action !== 'unchanged')
  const needers = new Map<MergedItem, string>()
  for (const one of changing)
    for (const named of [...links.needed(one), ...links.wanted(one)])
      if (named !== one && !needers.has(named)) needers.set(named, one.key)
  for (const one of changing) {
    const other = links.needed(one).find((named) => chosen.has(named) && named.action !== 'unchanged')
    const needer = needers.get(one) ?? other?.key ?? changing.find((any) => any !== one)?.key
    if (needer !== undefined) needers.set(one, needer)
  }
  return needers
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
