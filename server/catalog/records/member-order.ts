import { inCanonicalOrder } from '../../../catalog-schema/forms/member-order.ts'
import { memberName } from '../../../catalog-schema/member-names.ts'

type Named = Readonly<Record<string, unknown>>

/** Members that name products in canonical order, which another order of ids or a product's new name may have left. */
export const orderedByProduct = <M extends object>(members: readonly M[], sortField?: string) =>
  inCanonicalOrder([...members], sortField, (member) =>
    memberName(['productCode', 'productVersion'], member as Named),
  ) as M[]

/** The same for features of products. */
export const orderedByFeature = <M extends object>(members: readonly M[]) =>
  inCanonicalOrder([...members], undefined, (member) =>
    memberName(['productCode', 'productVersion', 'featureCode'], member as Named),
  ) as M[]

const lastOrder = 2 ** 31 - 1

/** A list as a request gives it: a member that says no sortOrder stands after the one before it. */
export function standingAsGiven<M extends { sortOrder?: number | null }>(given: readonly M[]) {
  let before = -1
  return given.map((member) => {
    before = member.sortOrder ?? Math.min(before + 1, lastOrder)
    return { ...member, sortOrder: before }
  })
}
