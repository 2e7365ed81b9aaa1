import { bareMentionsOf } from '../../catalog-schema/bare-mentions.ts'
import { naturalKeyOf, type ProductName } from '../../catalog-schema/keys.ts'
import { implicitSuiteOf, mentionsOf } from '../../catalog-schema/mentions.ts'
import type { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, kindOfSection, kinds, type Section, sectionOf, sections } from '../../catalog-schema/order.ts'
import { formatVersion, type Reference, type Snapshot } from '../../catalog-schema/snapshot-format.ts'
import { toInstant } from '../kit/instants.ts'
import { invalid } from '../kit/problem.ts'
import type { Environment, RepeatedKey } from './environment.ts'

/** Reads a comma-separated list of sections; all of the catalog's when absent. Throws the validation problem for an unknown one. */
export function readSections(text: string | undefined): Section[] {
  if (text === undefined || text.trim() === '') return sections
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(sections as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw invalid([{ pointer: 'scope', message: `there is no section "${unknown}"; there are ${sections.join(', ')}` }])
  return sections.filter((section) => names.includes(section))
}

/** The catalog as one document in canonical order: items by key, references by key. */
export function exportSnapshot(
  { model, repeated }: Environment,
  scope: readonly Section[],
  source: { at: number; tenantId: string },
): Snapshot {
  const bySection = scope.map((section) => [section, sorted(model, kindOfSection[section])] as const)
  return {
    formatVersion,
    exportedAt: toInstant(source.at),
    sourceTenantId: source.tenantId,
    scope: [...scope],
    counts: Object.fromEntries(bySection.map(([section, entries]) => [section, entries.length])),
    references: referencesOf(model, scope),
    warnings: repeated.filter(({ kind }) => scope.includes(sectionOf[kind])).map(warnOfRepeated),
    ...Object.fromEntries(bySection.map(([section, entries]) => [section, entries.map(({ item }) => item)])),
  }
}

const warnOfRepeated = ({ key }: RepeatedKey) => ({
  code: 'key_repeated',
  key,
  message: 'several records have this name; the oldest of them is the one that the snapshot carries',
})

const byKey = <T extends { key: string }>(a: T, b: T) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
const sorted = (model: CatalogModel, kind: Kind) => [...model.entries(kind)].sort(byKey)

/** Who names whom: every key that there is and that an exported item names, and whether the document holds it. */
function referencesOf(model: CatalogModel, scope: readonly Section[]): Record<string, Reference> {
  const found = new Map<string, Reference>()
  const ownSuites = new Map(
    [...model.entries('product')].map(({ item }) => [implicitSuiteOf(item as unknown as ProductName).key, item]),
  )
  for (const kind of kinds) {
    if (!scope.includes(sectionOf[kind])) continue
    for (const { key, item } of model.entries(kind))
      for (const mention of [
        ...mentionsOf(kind, item, model.suiteText),
        ...bareMentionsOf(kind, item, (suiteCode) => model.membersOf(suiteCode)),
      ]) {
        const named = model.heldKey(mention.kind, mention.key) ?? mention.key
        const reference = found.get(named) ?? describe(model, ownSuites, scope, mention.kind, named)
        if (!reference) continue
        if (reference.referencedBy.at(-1) !== key) reference.referencedBy.push(key)
        found.set(named, reference)
      }
  }
  for (const { referencedBy } of found.values()) if (referencedBy.length > 1) referencedBy.sort()
  return Object.fromEntries([...found.keys()].sort().map((key) => [key, found.get(key)!]))
}

function describe(
  model: CatalogModel,
  ownSuites: Map<string, object>,
  scope: readonly Section[],
  kind: Kind,
  key: string,
): Reference | undefined {
  const own = kind === 'suite' ? (ownSuites.get(key) as ProductName | undefined) : undefined
  const item = own ? { code: implicitSuiteOf(own).code } : model.find(kind, key)
  if (!item) return undefined
  const carrier = own ? sectionOf.product : sectionOf[kind]
  return {
    kind,
    naturalKey: naturalKeyOf(kind, item),
    presence: scope.includes(carrier) ? 'Included' : 'External',
    referencedBy: [],
  }
}
