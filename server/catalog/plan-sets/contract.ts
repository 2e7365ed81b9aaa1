import { Type } from 'typebox'
import { featureValues, lineItemFields, planFields, planSetFields } from '../../../catalog-schema/plan-set.ts'
import { NullableUuid, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed, Patchable } from '../../../catalog-schema/shapes.ts'
import { actionContract, collectionContracts } from '../../kit/collection.ts'
import { Instant, recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { planSetFilterFields } from './fields.ts'
import type { GivenPlan } from './line-products.ts'

const { productCode: _code, productVersion: _version, ...lineFields } = lineItemFields

const givenLines = {
  type: 'array',
  maxItems: 20_000,
  items: Patchable(
    {
      productId: NullableUuid({ description: 'The suite member this line is about; required but in a suite of one.' }),
      ...lineFields,
    },
    [],
  ),
  description: 'One line per suite member the plan speaks about.',
}

const givenPlans = (ids: Record<string, ReturnType<typeof NullableUuid>>) =>
  Type.Unsafe<GivenPlan[]>({
    type: 'array',
    maxItems: 20_000,
    items: Patchable({ ...ids, ...planFields, lineItems: Type.Unsafe<object[]>(givenLines) }, ['name']),
    description:
      "Plans that are alternatives to one another. Null keeps the stored plans, a list replaces them. Where none says a sortOrder, they stand in the list's order.",
  })

export const planSetCreateFields = {
  suiteId: NullableUuid({ description: 'The suite the set belongs to.' }),
  productId: NullableUuid({ description: 'Instead of suiteId: the product whose own suite the set belongs to.' }),
  ...planSetFields,
  plans: givenPlans({}),
}

export const planSetEditFields = {
  ...planSetFields,
  plans: givenPlans({ id: NullableUuid({ description: 'A plan of this set, which may get another name.' }) }),
}

const Plan = Closed({
  id: Uuid(),
  ...planFields,
  lineItems: Type.Array(Closed({ productId: Uuid(), included: lineFields.included, featureValues })),
})

export const PlanSetRecord = Closed(
  {
    ...recordId,
    suiteId: Uuid(),
    ...planSetFields,
    revisionDate: Instant('When the set last changed (UTC).'),
    plans: Type.Array(Plan),
    ...recordTail,
  },
  { description: 'Plans that are alternatives to one another, for one suite.' },
)

const editBody = {
  suiteId: NullableUuid({ description: 'The suite the set belongs to; fixed at creation.' }),
  ...planSetEditFields,
}

const collection = {
  name: 'admin.planSets',
  noun: 'plan set',
  plural: 'plan sets',
  path: 'admin/usage-plans/plan-sets',
  scope: 'usage-plans',
  record: PlanSetRecord,
} as const

export const planSetContracts = collectionContracts({
  ...collection,
  create: bodyOf(planSetCreateFields, ['name']),
  update: bodyOf(editBody),
  replace: bodyOf(editBody, ['name']),
  filterable: planSetFilterFields.map(({ name }) => name),
  editProblems: ['catalog.in_use', 'catalog.invalid_transition'],
  deleteProblems: ['catalog.in_use'],
})

export const publishContract = actionContract(collection, 'publish', 'Publish a plan set', [
  'catalog.invalid_transition',
])
export const retireContract = actionContract(collection, 'retire', 'Retire a plan set', ['catalog.invalid_transition'])
