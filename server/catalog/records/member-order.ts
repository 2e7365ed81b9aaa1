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

/** A list as a request gives it: where none of its members says a sortOrder, they stand as given. */
export const standingAsGiven = <M extends { sortOrder?: number | null }>(given: readonly M[]): readonly M[] =>
  given.some(({ sortOrder }) => sortOrder !== null && sortOrder !== undefined)
    ? given
    : given.map((member, sortOrder) => ({ ...member, sortOrder }))
