import { type ProductName, productText } from '../keys.ts'
import type { CatalogModel } from '../model.ts'

/** Where a product stands below others: how many are above it, and whether it is above itself. */
export interface Ancestry {
  depth: number
  isOwnAncestor: boolean
}

/** Answers where a product (named as in key strings) stands below others by way of their parents; each chain is walked once. */
export function ancestryIn(catalog: CatalogModel): (product: string) => Ancestry {
  const known = new Map<string, Ancestry>()
  const parentOf = (product: string) => {
    const item = catalog.find('product', `product:${product}`)
    return item && typeof item.parentProductCode === 'string' ? productText(parentName(item)) : undefined
  }
  return (product) => {
    const path: string[] = []
    const onPath = new Map<string, number>()
    let at: string | undefined = product
    while (at !== undefined && !known.has(at) && !onPath.has(at)) {
      onPath.set(at, path.length)
      path.push(at)
      at = parentOf(at)
    }
    const cycleFrom = at === undefined ? undefined : onPath.get(at)
    let depth = at === undefined || cycleFrom !== undefined ? 0 : known.get(at)!.depth + 1
    for (let index = path.length - 1; index >= 0; index--)
      known.set(path[index]!, { depth: depth++, isOwnAncestor: cycleFrom !== undefined && index >= cycleFrom })
    return known.get(product)!
  }
}

const parentName = (item: Record<string, unknown>): ProductName => ({
  productCode: item.parentProductCode as string,
  productVersion: item.parentProductVersion as string | null,
})
