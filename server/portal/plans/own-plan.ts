import type { CopiedProduct } from '../../entitlements/entitlements/copying.ts'
import type { PlanChoice } from '../../entitlements/plan-changes/choices.ts'
import type { OwnPlan } from './contract.ts'

/** What the catalog calls a product, and what it knows of its features. */
export interface DescribedProduct {
  productCode: string
  productVersion: string | null
  name: string | null
  features: Pick<CopiedProduct, 'attached' | 'entries'>
}

type Features = OwnPlan['products'][number]['features']

/** A plan as its customer reads it: what the catalog calls its products and features, and no feature that is internal or gone. */
export function toOwnPlan(
  { planSetId, planSetName, plan, isCurrent, isSold }: PlanChoice,
  products: ReadonlyMap<string, DescribedProduct>,
): OwnPlan {
  const { id, name, description, sortOrder, monthlyPrice, currency, lineItems } = plan
  return {
    ...{ id, planSetId, planSetName, name, description, sortOrder, monthlyPrice, currency, isCurrent, isSold },
    products: lineItems.flatMap(({ productId, included, featureValues }) => {
      const product = products.get(productId)
      if (!product) return []
      const { features: known, ...named } = product
      const features: Features = featureValues.flatMap((value) => {
        const described = describe(known, value.featureCode)
        return described ? [{ ...value, ...described }] : []
      })
      return [{ productId, ...named, included, features }]
    }),
  }
}

/** What people call a feature, its product's words before its catalog's; undefined where either keeps it internal, or neither knows it. */
function describe({ attached, entries }: DescribedProduct['features'], code: string) {
  const known = [attached.get(code), entries.get(code)].filter((one) => one !== undefined)
  if (known.length === 0 || known.some(({ visibility }) => visibility === 'Internal')) return undefined
  const first = (of: 'name' | 'units') => known.find((one) => one[of] !== null)?.[of] ?? null
  return { name: first('name'), units: first('units') }
}
