import { type FieldError, invalid } from '../../kit/problem.ts'

/** What a submission says it is about; an id of zeros is the product as a whole. */
export interface SaidAbout {
  productId?: string | null
  featureId?: string | null
  featureCode?: string | null
}

/** A feature that can be rated; its id is that of its entry in the feature catalog, if it has one. */
interface RateableFeature {
  productId: string
  featureCode: string
  featureId: string | null
  /** The ids by which its product and the entitlement know it. */
  ownIds?: readonly string[]
}

/** What can be rated: the products of an entitlement, and their features that it has. */
export interface Rateable {
  productIds: readonly string[]
  features: readonly RateableFeature[]
}

/** What was rated; no feature is the product as a whole. */
interface Rated {
  productId: string
  featureId: string | null
  featureCode: string | null
}

const emptyUuid = '00000000-0000-0000-0000-000000000000'

/**
 * What a submission rates; throws the validation problem for what is not of the entitlement, and for a feature that the id and
 * the code do not agree on. The product may be left unsaid where only one has the feature, or there is only one.
 */
export function ratedBy(said: SaidAbout, { productIds, features }: Rateable): Rated {
  const saidId = said.productId?.toLowerCase()
  if (saidId !== undefined && !productIds.includes(saidId))
    throw refuse('/productId', 'the session licenses no such product')
  const ofProducts = productIds.filter((id) => saidId === undefined || id === saidId)
  const featureId = said.featureId?.toLowerCase()
  if (featureId === emptyUuid) return { productId: onlyOne(ofProducts), featureId: null, featureCode: null }
  const featureCode = said.featureCode || undefined
  if (featureId === undefined && featureCode === undefined)
    throw refuse('/featureId', 'must be given, or else featureCode; a UUID of zeros is for the product as a whole')
  const rateable = features.filter(({ productId }) => ofProducts.includes(productId))
  const hasId = (one: RateableFeature) => one.featureId === featureId || one.ownIds?.includes(featureId!)
  const byId = featureId === undefined ? rateable : rateable.filter(hasId)
  const byCode = featureCode === undefined ? rateable : rateable.filter((one) => one.featureCode === featureCode)
  const none = 'the session licenses no such feature'
  if (byId.length === 0) throw refuse('/featureId', none)
  if (byCode.length === 0) throw refuse('/featureCode', none)
  const found = byId.filter((one) => byCode.includes(one))
  if (found.length === 0) throw refuse('/featureId', 'names another feature than featureCode does')
  const feature = onlyOne(found)
  return { productId: feature.productId, featureId: feature.featureId, featureCode: feature.featureCode }
}

function onlyOne<One>(found: readonly One[]): One {
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw refuse('/productId', 'the session licenses no product')
  throw refuse('/productId', 'must be given, for the session licenses more than one that it could be')
}

const refuse = (pointer: string, message: FieldError['message']) => invalid([{ pointer, message }])
