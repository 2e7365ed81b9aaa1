import { type FieldError, invalid } from '../../kit/problem.ts'

/** What a submission says it is about; an id of zeros is the product as a whole. */
export interface SaidAbout {
  productId: string
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

/** What a submission rates; throws the validation problem for what is not of the entitlement, and for a feature that the id and the code do not agree on. */
export function ratedBy(said: SaidAbout, { productIds, features }: Rateable): Rated {
  const productId = said.productId.toLowerCase()
  if (!productIds.includes(productId)) throw refuse('/productId', 'the session licenses no such product')
  const featureId = said.featureId?.toLowerCase()
  if (featureId === emptyUuid) return { productId, featureId: null, featureCode: null }
  const featureCode = said.featureCode || undefined
  if (featureId === undefined && featureCode === undefined)
    throw refuse('/featureId', 'must be given, or else featureCode; a UUID of zeros is for the product as a whole')
  const feature = features.find(
    (one) =>
      one.productId === productId &&
      (featureId === undefined || one.featureId === featureId || one.ownIds?.includes(featureId)) &&
      (featureCode === undefined || one.featureCode === featureCode),
  )
  if (!feature)
    throw refuse(featureId === undefined ? '/featureCode' : '/featureId', 'the session licenses no such feature')
  return { productId, featureId: feature.featureId, featureCode: feature.featureCode }
}

const refuse = (pointer: string, message: FieldError['message']) => invalid([{ pointer, message }])
