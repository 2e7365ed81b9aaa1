import { Type } from 'typebox'
import { enforcementTypes, planSetStatuses, pricingModes } from './enumerations.ts'
import { Code, Flag, Int32, NullableCode, NullableDouble, NullableText, NullableValueText, OneOf } from './scalars.ts'
import { type FullOf, NamedList, ofProduct, Patchable, type PatchOf } from './shapes.ts'
import { usageTiers } from './usage-tier.ts'

export const planFeatureValueFields = {
  featureCode: Code({ description: 'A feature of the product this line is about.' }),
  metricName: NullableText(200, { description: 'The metric name that usage of the feature is reported under.' }),
  enforcementType: OneOf(enforcementTypes, {
    default: 'SingleValue',
    description: 'How the value limits use: one value, tiers (absolute or as percentages), or not at all.',
  }),
  value: NullableValueText({ description: 'What the plan gives: true, a number, a text; kept as text.' }),
  usageTiers,
}
export type PlanFeatureValue = FullOf<typeof planFeatureValueFields>
export const PlanFeatureValue = Patchable(planFeatureValueFields, ['featureCode'])

export const featureValues = NamedList(PlanFeatureValue, ['featureCode'], {
  description: 'What the plan gives of each feature.',
})

export const lineItemFields = {
  productCode: NullableCode({ description: 'The suite member this line is about; may be left out in a suite of one.' }),
  productVersion: ofProduct.productVersion,
  included: Flag({ default: true, description: 'Whether the plan includes the product at all.' }),
  featureValues,
}
export type LineItem = FullOf<typeof lineItemFields>

/** The fields of a plan that mean the same on the wire and in a snapshot; its line items name products differently. */
export const planFields = {
  name: Code({ description: 'Unique within the plan set.' }),
  description: NullableText(20_000, { description: 'What the plan is, for people.' }),
  sortOrder: Int32({ default: 0, description: 'The place of the plan in its set, lowest first.' }),
  pricingMode: OneOf(pricingModes, { default: 'Absolute', description: 'The same for every plan of a set.' }),
  monthlyPrice: NullableDouble({
    minimum: 0,
    description: 'Absolute plans only. null is not priced yet (never free), 0 is free, positive is paid.',
  }),
  currency: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: '^[A-Z]{3}$',
    'x-pattern-words': 'must be an ISO 4217 code such as EUR',
    default: null,
    description: 'ISO 4217; required when monthlyPrice is positive.',
  }),
  relativeWeight: NullableDouble({
    minimum: 0,
    description: 'Relative plans only. An unbounded weight; null is not weighted yet (never zero).',
  }),
}

export const planItemFields = {
  ...planFields,
  lineItems: NamedList(Patchable(lineItemFields, []), ['productCode', 'productVersion'], {
    description: 'One line per suite member the plan speaks about.',
  }),
}
export type Plan = FullOf<typeof planItemFields>

/** The fields of a plan set beside its suite and plans. */
export const planSetFields = {
  name: Code({ description: 'Unique within the suite.' }),
  description: NullableText(20_000, { description: 'What the plans have in common, for people.' }),
  status: OneOf(planSetStatuses, { default: 'Draft', description: 'Draft, then Published, then Retired.' }),
}

export const planSetItemFields = {
  suiteCode: Code({
    description: "The suite the set belongs to: its code, or PRODUCT or PRODUCT@VERSION for a product's own suite.",
  }),
  ...planSetFields,
  plans: NamedList(Patchable(planItemFields, ['name']), ['name'], {
    'x-sorted-by': 'sortOrder',
    description: 'The plans of the set, priced alike.',
  }),
}
export type PlanSet = FullOf<typeof planSetItemFields>
export type PlanSetItem = PatchOf<typeof planSetItemFields>
export const PlanSetItem = Patchable(planSetItemFields, ['suiteCode', 'name'], {
  description: 'Plans that are alternatives to one another, for one suite.',
})
