import type { Mention } from '../mentions.ts'
import type { CatalogModel } from '../model.ts'
import { kinds } from '../order.ts'
import { findFeature } from '../rules/find-feature.ts'
import type { Snapshot } from '../snapshot-format.ts'

/**
 * Answers whether what an item mentions exists once the snapshot is imported. Checked offline, that is against an empty
 * environment, what the snapshot states as External is taken on trust; a real environment must have it.
 */
export function resolverFor(environment: CatalogModel, result: CatalogModel, snapshot: Snapshot) {
  const isOffline = kinds.every((kind) => environment.count(kind) === 0)
  const references = (isOffline && snapshot.references) || {}
  return ({ kind, key, named }: Mention): boolean => {
    if (result.find(kind, key)) return true
    if (Object.hasOwn(references, key) && references[key]!.presence === 'External') return true
    if (kind === 'suite') return result.ownSuiteOf(named.code as string) !== undefined
    return (
      kind === 'feature' && findFeature(result, named as unknown as Parameters<typeof findFeature>[1]) !== undefined
    )
  }
}
