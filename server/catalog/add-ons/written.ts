import { canonicalItem } from '../../../catalog-schema/canonical.ts'
import { pointerOf } from '../../../catalog-schema/paths.ts'
import { breachesOf, refuseBreaches, refuseErrors } from '../records/judging.ts'
import { refuseRepeated } from '../records/repeated.ts'
import type { CatalogAround, SuiteStanding } from '../suites/surroundings.ts'
import { findGivenFeatures, type GivenFeature } from './given-features.ts'

type Fields = Record<string, unknown>

/** The features that a request names, as an item names them; nothing where it gives none. Throws the validation problem for what names none of the suite's. */
export function nameFeatures(given: Fields, { memberIds }: SuiteStanding, { names, entries }: CatalogAround): Fields {
  if (!given.features) return {}
  const members = new Set(memberIds)
  const ofSuite = entries.filter(({ productId }) => members.has(productId))
  const { features, errors } = findGivenFeatures(given.features as GivenFeature[], ofSuite)
  refuseErrors(errors)
  return { features: features.map(({ productId, featureCode }) => ({ ...names.product(productId), featureCode })) }
}

/** Throws the validation problem, pointing into the request, for feature values that stand twice or break a rule. */
export function refuseWrongValues(written: Fields, { model }: CatalogAround): void {
  const pointer = (path: string) => pointerOf('addOn', written, path)
  refuseRepeated('addOn', written, written)
  const item = canonicalItem('addOn', written)
  refuseBreaches(breachesOf('addOn', item, model), pointer)
}
