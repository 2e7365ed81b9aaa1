import { type Static, Type } from 'typebox'
import { planFeatureValueFields, planFields } from '../../../catalog-schema/plan-set.ts'
import { Flag, NullableText, Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { filterFieldsOf, storedFields } from '../../kit/records/columns.ts'
import { tableAtHand } from '../../kit/records/values-at-hand.ts'

const { name, description, sortOrder, monthlyPrice, currency } = planFields

const Feature = Closed({
  ...planFeatureValueFields,
  name: NullableText(200, { description: 'What the feature is called.' }),
  units: NullableText(200, { description: 'What its value counts.' }),
})

const Product = Closed({
  productId: Uuid(),
  productCode: Text(200),
  productVersion: NullableText(200),
  name: NullableText(200, { description: 'What the product is called.' }),
  included: Flag({ default: true, description: 'Whether the plan includes the product.' }),
  features: Type.Array(Feature, { description: 'What the plan gives of its features, but for internal ones.' }),
})

const scalars = {
  id: Uuid({ description: 'The id of the plan.' }),
  planSetId: Uuid({ description: 'The plan set that it is of.' }),
  planSetName: Text(200),
  ...{ name, description, sortOrder, monthlyPrice, currency },
  isCurrent: Flag({ default: false, description: 'Whether the entitlement is on it.' }),
  isSold: Flag({ default: true, description: 'Whether it is sold: only such a plan can be changed to.' }),
}

/** A plan behind a licence, as its customer reads it. */
export const OwnPlan = Closed(
  { ...scalars, products: Type.Array(Product) },
  { description: 'A plan behind a licence.' },
)
export type OwnPlan = Static<typeof OwnPlan>

/** How the plans' own fields are compared. */
export const ownPlanStorage = storedFields(scalars)
export const ownPlanFilterFields = filterFieldsOf(tableAtHand, ownPlanStorage) as [ColumnField, ...ColumnField[]]

const listing = {
  method: 'GET',
  access: 'user',
  description:
    'The plan that the entitlement is on, then the others that its customer may ask for: those of the Published sets of the same suite or, while it is on none, of the suites that have one of its products; by set, then as the set orders them, unless a sortOrder says otherwise.',
  query: listQuery,
  answer: pageOf(OwnPlan),
  filterable: ownPlanFilterFields.map(({ name }) => name),
  problems: ['license.record_not_found'],
} as const

export const listPlansOfOwnEntitlement = contract({
  ...listing,
  name: 'consumer.entitlements.plans.list',
  path: `${provision}/consumer/me/entitlements/{id}/plans`,
  summary: 'List the plans behind an entitlement that is assigned to the user',
  params: Closed({ id: Uuid({ description: 'The id of the entitlement.' }) }),
})

export const listPlansOfOwnSession = contract({
  ...listing,
  name: 'consumer.sessions.plans.list',
  path: `${provision}/consumer/me/sessions/{id}/plans`,
  summary: "List the plans behind a license session of the user's own device",
  params: Closed({ id: Uuid({ description: 'The id of the session.' }) }),
})
