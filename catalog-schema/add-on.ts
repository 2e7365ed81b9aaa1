import { addOnOperations, addOnStatuses } from './enumerations.ts'
import { Code, NullableText, NullableValueText, OneOf, Text } from './scalars.ts'
import { type FullOf, NamedList, ofProduct, Patchable, type PatchOf, TextList } from './shapes.ts'
import { usageTiers } from './usage-tier.ts'

const addOnFeatureValueFields = {
  featureCode: Code({
    description: 'Which feature of a product of the suite the add-on changes.',
    examples: ['SEATS'],
  }),
  value: NullableValueText({
    description:
      'What the operation works with: the value that is set, the number that is added, or the least that is then had; kept as text.',
    examples: ['10'],
  }),
  usageTiers,
  planTargets: TextList('The name of a plan of the suite.', {
    description: 'Names of the plans on which the change acts; none listed is every plan of the suite.',
    examples: [['Pro']],
  }),
  operation: OneOf(addOnOperations, {
    default: 'Replace',
    description:
      'How value meets what the plan gives: Replace sets it, Add adds to a number or a tier bound, Max keeps the larger.',
  }),
}
export type AddOnFeatureValue = FullOf<typeof addOnFeatureValueFields>

/** The fields of an add-on that mean the same on the wire and in a snapshot. */
export const addOnFields = {
  code: Code({
    description: 'Identifies the add-on among all add-ons, whatever their suite.',
    examples: ['RENDER-PACK'],
  }),
  name: Text(300, {
    min: 1,
    description: 'What people read on a price list; the code when a snapshot leaves it out on create.',
    examples: ['Render pack'],
  }),
  description: NullableText(20_000, { description: 'What a customer gets on top of a plan, in prose.' }),
  status: OneOf(addOnStatuses, {
    default: 'Draft',
    description:
      'How far the add-on is: Draft while it is prepared, Published when it is sold, Retired when no longer. It only moves on, never back.',
  }),
  featureValues: NamedList(
    Patchable(addOnFeatureValueFields, ['featureCode'], {
      description: 'A change of one feature.',
    }),
    ['featureCode'],
    {
      description: 'The values of features that the add-on changes when it is applied, told apart by featureCode.',
    },
  ),
}

export const addOnItemFields = {
  suiteCode: Code({
    description:
      "On top of which suite it is sold: the code of a suite, or PRODUCT or PRODUCT@VERSION for a product's own suite of one. A new add-on names it.",
    examples: ['ACME-CAD@2.0'],
  }),
  ...addOnFields,
  features: NamedList(
    Patchable(
      {
        ...ofProduct,
        featureCode: Code({
          description: 'Which feature of that product the add-on is about, by its code.',
          examples: ['RENDERING'],
        }),
      },
      ['productCode', 'featureCode'],
      { description: 'A feature that the add-on is about.' },
    ),
    ['productCode', 'productVersion', 'featureCode'],
    { description: 'The features of products of the suite that the add-on is about, for people who look for it.' },
  ),
}
export type AddOn = FullOf<typeof addOnItemFields>
export type AddOnItem = PatchOf<typeof addOnItemFields>
export const AddOnItem = Patchable(addOnItemFields, ['code'], {
  description: 'Something sold on top of a plan, which changes values of features.',
})
