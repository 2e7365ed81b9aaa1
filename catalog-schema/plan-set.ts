import { enforcementTypes, planSetStatuses, pricingModes } from './enumerations.ts'
import { Code, Flag, Int32, NullableCode, NullableDouble, NullableText, NullableValueText, OneOf } from './scalars.ts'
import { type FullOf, NamedList, ofProduct, Patchable, type PatchOf } from './shapes.ts'
import { usageTiers } from './usage-tier.ts'

export const planFeatureValueFields = {
  featureCode: Code({
    description: 'Which feature of the product of this line item the value is for.',
    examples: ['SEATS'],
  }),
  metricName: NullableText(200, {
    description:
      'The metric name under which usage of the feature is reported, for a metered one; lowercase, and not the feature code.',
    examples: ['export-step'],
  }),
  enforcementType: OneOf(enforcementTypes, {
    default: 'SingleValue',
    description:
      'How the plan limits the feature: SingleValue by value alone, TieredAbsolute and TieredPercentage by usageTiers, Denied forbids it, NotIncluded leaves it out of the plan.',
  }),
  value: NullableValueText({
    description:
      'What the plan gives of the feature: true or false, a number, a text or an option; kept as text. A Numeric one may be Infinity, which is no limit.',
    examples: ['25'],
  }),
  usageTiers,
}
export type PlanFeatureValue = FullOf<typeof planFeatureValueFields>
export const PlanFeatureValue = Patchable(planFeatureValueFields, ['featureCode'], {
  description: 'What a plan gives of one feature.',
})

export const featureValues = NamedList(PlanFeatureValue, ['featureCode'], {
  description:
    'What the plan gives of each feature, told apart by featureCode. One that only the environment has stays.',
})

export const lineItemFields = {
  productCode: NullableCode({
    description: 'The code of the member of the suite that the line is about; may be left out in a suite of one.',
    examples: ['ACME-CAD'],
  }),
  productVersion: ofProduct.productVersion,
  included: Flag({
    default: true,
    description: 'false says that the plan speaks of the product and does not include it.',
  }),
  featureValues,
}
export type LineItem = FullOf<typeof lineItemFields>

/** The fields of a plan that mean the same on the wire and in a snapshot; its line items name products differently. */
export const planFields = {
  name: Code({
    description: 'Identifies the plan within its set, and is what people read on a price list.',
    examples: ['Pro'],
  }),
  description: NullableText(20_000, { description: 'For whom the plan is and what sets it apart, in prose.' }),
  sortOrder: Int32({
    default: 0,
    description: 'Where the plan stands among those of the set, lowest number first; usually from small to large.',
  }),
  pricingMode: OneOf(pricingModes, {
    default: 'Absolute',
    description:
      'Absolute plans have a monthlyPrice, Relative ones a relativeWeight. Every plan of a set has the same.',
  }),
  monthlyPrice: NullableDouble({
    minimum: 0,
    description:
      'What the plan costs a month, in currency; Absolute plans only. null is not priced yet (never free, and reported apart), 0 is free or a trial, positive is paid.',
    examples: [49],
  }),
  currency: NullableText(200, {
    description:
      'The currency of monthlyPrice as its ISO 4217 code; required when the price is positive, ignored otherwise.',
    examples: ['EUR'],
  }),
  relativeWeight: NullableDouble({
    minimum: 0,
    description:
      'How much the plan counts beside the others of the set in revenue reports; Relative plans only. A weight, not a percentage. null is not weighted yet (never zero), 0 counts nothing.',
    examples: [3],
  }),
}

const planItemFields = {
  ...planFields,
  lineItems: NamedList(
    Patchable(lineItemFields, [], { description: 'What a plan gives of one product.' }),
    ['productCode', 'productVersion'],
    {
      description: 'What the plan gives of each member of the suite that it speaks about, one line for each product.',
    },
  ),
}
export type Plan = FullOf<typeof planItemFields>

/** The fields of a plan set beside its suite and plans. */
export const planSetFields = {
  name: Code({
    description: 'Identifies the plan set within its suite; offers name it as planSetName.',
    examples: ['Standard'],
  }),
  description: NullableText(20_000, { description: 'What the plans of the set have in common, in prose.' }),
  status: OneOf(planSetStatuses, {
    default: 'Draft',
    description:
      'How far the set is: Draft while it is prepared, Published when it is sold, Retired when no longer. It only moves on; the plans of a Published set may still be edited.',
  }),
}

export const planSetItemFields = {
  suiteCode: Code({
    description:
      "Which suite the plans are for: the code of a suite, or PRODUCT or PRODUCT@VERSION for a product's own suite of one.",
    examples: ['ACME-CAD@2.0'],
  }),
  ...planSetFields,
  plans: NamedList(
    Patchable(planItemFields, ['name'], { description: 'One of the alternatives of a plan set.' }),
    ['name'],
    {
      'x-sorted-by': 'sortOrder',
      description:
        'The plans that a customer chooses among, told apart by name and all of one pricingMode. One that only the environment has stays.',
    },
  ),
}
export type PlanSet = FullOf<typeof planSetItemFields>
export type PlanSetItem = PatchOf<typeof planSetItemFields>
export const PlanSetItem = Patchable(planSetItemFields, ['suiteCode', 'name'], {
  description: 'Plans that are alternatives to one another, for one suite.',
})
