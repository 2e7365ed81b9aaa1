import { addOnOperations, addOnStatuses } from './enumerations.ts'
import { Code, NullableText, NullableValueText, OneOf, Text } from './scalars.ts'
import { type FullOf, NamedList, ofProduct, Patchable, type PatchOf, TextList } from './shapes.ts'
import { usageTiers } from './usage-tier.ts'

export const addOnFeatureValueFields = {
  featureCode: Code({ description: 'A feature of a product of the suite.' }),
  value: NullableValueText({ description: 'The value that the add-on sets, adds or raises to; kept as text.' }),
  usageTiers,
  planTargets: TextList({ description: 'Names of the plans it acts on; empty is every plan of the suite.' }),
  operation: OneOf(addOnOperations, {
    default: 'Replace',
    description: 'Replace sets the value, Add adds to a number or a tier bound, Max keeps the larger.',
  }),
}
export type AddOnFeatureValue = FullOf<typeof addOnFeatureValueFields>

/** The fields of an add-on that mean the same on the wire and in a snapshot. */
export const addOnFields = {
  code: Code({ description: 'Identifies the add-on.', examples: ['RENDER-PACK'] }),
  name: Text(300, { min: 1, description: 'The name people read.' }),
  description: NullableText(20_000, { description: 'What the add-on gives, for people.' }),
  status: OneOf(addOnStatuses, { default: 'Draft', description: 'Draft, then Published, then Retired.' }),
  featureValues: NamedList(Patchable(addOnFeatureValueFields, ['featureCode']), ['featureCode'], {
    description: 'What the add-on changes.',
  }),
}

export const addOnItemFields = {
  suiteCode: Code({ description: 'The suite the add-on belongs to.' }),
  ...addOnFields,
  features: NamedList(
    Patchable({ ...ofProduct, featureCode: Code({ description: 'The code of the feature.' }) }, [
      'productCode',
      'featureCode',
    ]),
    ['productCode', 'productVersion', 'featureCode'],
    { description: 'The features the add-on is about.' },
  ),
}
export type AddOn = FullOf<typeof addOnItemFields>
export type AddOnItem = PatchOf<typeof addOnItemFields>
export const AddOnItem = Patchable(addOnItemFields, ['suiteCode', 'code'], {
  description: 'Something sold on top of a plan.',
})
