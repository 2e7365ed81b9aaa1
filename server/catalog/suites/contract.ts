import { Type } from 'typebox'
import { Int32, Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { suiteFields } from '../../../catalog-schema/suite.ts'
import { collectionContracts } from '../../kit/collection.ts'
import { recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { suiteFilterFields } from './fields.ts'
import type { GivenMember } from './members.ts'

/** A member as a request names it: by its product's id; what an answer says of the product beside it may come back. */
const givenMember = Type.Unsafe<GivenMember>({
  type: 'object',
  additionalProperties: false,
  properties: {
    productId: Uuid(),
    productCode: Text(200, { description: 'That of the product named by productId; may be left out.' }),
    productName: Text(300, { description: "The product's name, as it was answered; not read." }),
    sortOrder: Int32({ default: 0 }),
  },
  required: ['productId'],
})

export const suiteBodyFields = {
  ...suiteFields,
  members: Type.Unsafe<GivenMember[]>({
    type: 'array',
    maxItems: 20_000,
    items: givenMember,
    description:
      "The products sold together, each once; a list replaces the stored one. Where none says a sortOrder, they stand in the list's order.",
  }),
}

export const SuiteRecord = Closed(
  {
    ...recordId,
    ...suiteFields,
    members: Type.Array(
      Closed({ productId: Uuid(), productCode: Text(200), productName: Text(300), sortOrder: Int32() }),
    ),
    isImplicit: Type.Boolean({ description: "Whether it is a product's own suite of one, which exists by itself." }),
    ...recordTail,
  },
  { description: 'Products that are sold together.' },
)

export const suiteContracts = collectionContracts({
  name: 'admin.suites',
  noun: 'suite',
  plural: 'suites',
  path: 'admin/suites',
  scope: 'suites',
  record: SuiteRecord,
  create: bodyOf(suiteBodyFields, ['code', 'name']),
  update: bodyOf(suiteBodyFields),
  replace: bodyOf(suiteBodyFields, ['name']),
  filterable: suiteFilterFields.map(({ name }) => name),
  editProblems: ['catalog.in_use'],
  deleteProblems: ['catalog.in_use'],
})
