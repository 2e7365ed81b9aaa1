import { Type } from 'typebox'
import { addOnFields } from '../../../catalog-schema/add-on.ts'
import { NullableCode, NullableUuid, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed, Patchable } from '../../../catalog-schema/shapes.ts'
import { actionContract, collectionContracts } from '../../kit/collection.ts'
import { recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { FeatureRecord } from '../features/contract.ts'
import { addOnFilterFields } from './fields.ts'
import type { GivenFeature } from './given-features.ts'

const givenFeatures = Type.Unsafe<GivenFeature[]>({
  type: 'array',
  maxItems: 20_000,
  items: Patchable(
    {
      id: NullableUuid({ description: 'The id of a feature catalog entry.' }),
      featureCode: NullableCode({
        description: 'Instead of the id, or beside it: the code of an entry of one of the products.',
      }),
      productId: NullableUuid({
        description:
          'With featureCode: the product, where more than one has that code; beside the id it is that of the entry.',
      }),
    },
    [],
  ),
  description: 'The features the add-on is about; a list replaces the stored one.',
})

export const addOnEditFields = { ...addOnFields, features: givenFeatures }

export const addOnCreateFields = {
  suiteId: NullableUuid({ description: 'The suite the add-on belongs to.' }),
  productId: NullableUuid({ description: 'Instead of suiteId: the product whose own suite it belongs to.' }),
  ...addOnEditFields,
}

const { featureValues, ...scalarFields } = addOnFields

export const AddOnRecord = Closed(
  {
    ...recordId,
    suiteId: Uuid(),
    ...scalarFields,
    features: Type.Array(FeatureRecord, { description: 'The feature catalog entries it is about.' }),
    featureValues,
    ...recordTail,
  },
  { description: 'Something sold on top of a plan.' },
)

const editBody = {
  suiteId: NullableUuid({ description: 'The suite the add-on belongs to; fixed at creation.' }),
  ...addOnEditFields,
}

const collection = {
  name: 'admin.addOns',
  noun: 'add-on',
  plural: 'add-ons',
  path: 'admin/add-ons',
  scope: 'add-ons',
  record: AddOnRecord,
} as const

export const addOnContracts = collectionContracts({
  ...collection,
  create: bodyOf(addOnCreateFields, ['code', 'name']),
  update: bodyOf(editBody),
  replace: bodyOf(editBody, ['name']),
  filterable: addOnFilterFields.map(({ name }) => name),
  editProblems: ['catalog.invalid_transition'],
  deleteProblems: ['catalog.in_use'],
})

export const publishContract = actionContract(collection, 'publish', 'Publish an add-on', [
  'catalog.invalid_transition',
])
export const retireContract = actionContract(collection, 'retire', 'Retire an add-on', ['catalog.invalid_transition'])
