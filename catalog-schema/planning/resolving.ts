import type { Mention } from '../mentions.ts'
import type { CatalogModel } from '../model.ts'
import { type FeatureName, findFeature } from '../rules/find-feature.ts'
import type { Snapshot } from '../snapshot-format.ts'

/**
 * Answers whether what an item mentions exists once the snapshot is imported. Checked offline, that is against an empty
 * environment, what the snapshot states as External is taken on trust; a real environment must have it.
 */
export function resolverFor(environment: CatalogModel, result: CatalogModel, snapshot: Snapshot) {
  const references = (environment.isEmpty && snapshot.references) || {}
  const isTrusted = (key: string) => Object.hasOwn(references, key) && references[key]!.presence === 'External'
  return (mention: Mention): boolean => isThere(mention, result) || isTrusted(mention.key)
}

function isThere(mention: Mention, catalog: CatalogModel): boolean {
  const { kind, named } = mention
  if (kind === 'feature') return findFeature(catalog, named as FeatureName) !== undefined
  if (kind === 'suite' && catalog.ownSuiteOf(String(named.code)) !== undefined) return true
  return catalog.find(kind, mention.key) !== undefined
}
