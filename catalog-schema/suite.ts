import { Code, Int32, NullableText, Text } from './scalars.ts'
import { type FullOf, NamedList, ofProduct, Patchable, type PatchOf } from './shapes.ts'

export const suiteMemberFields = {
  ...ofProduct,
  sortOrder: Int32({ default: 0, description: 'The place of the product in the suite, lowest first.' }),
}
export type SuiteMember = FullOf<typeof suiteMemberFields>

/** The fields of a suite that mean the same on the wire and in a snapshot. */
export const suiteFields = {
  code: Code({ description: 'Identifies the suite.', examples: ['ACME-DESIGN'] }),
  name: Text(300, { min: 1, description: 'The name people read.' }),
  description: NullableText(20_000, { description: 'What the suite is, for people.' }),
}

export const suiteItemFields = {
  ...suiteFields,
  members: NamedList(Patchable(suiteMemberFields, ['productCode']), ['productCode', 'productVersion'], {
    'x-sorted-by': 'sortOrder',
    description: 'The products sold together.',
  }),
}
export type Suite = FullOf<typeof suiteItemFields>
export type SuiteItem = PatchOf<typeof suiteItemFields>
export const SuiteItem = Patchable(suiteItemFields, ['code'], {
  description:
    "Products that are sold together. A product's own suite of one exists by itself and is not written here.",
})
