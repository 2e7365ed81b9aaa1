import { Code, Int32, NullableText, Text } from './scalars.ts'
import { type FullOf, NamedList, ofProduct, Patchable, type PatchOf } from './shapes.ts'

const suiteMemberFields = {
  ...ofProduct,
  sortOrder: Int32({
    default: 0,
    description: 'Where the product stands among the members of the suite, lowest number first.',
  }),
}
export type SuiteMember = FullOf<typeof suiteMemberFields>

/** The fields of a suite that mean the same on the wire and in a snapshot. */
export const suiteFields = {
  code: Code({
    description: 'Identifies the suite; plan sets and add-ons name it as their suiteCode. No two suites share one.',
    examples: ['ACME-DESIGN'],
  }),
  name: Text(300, {
    min: 1,
    description: 'What people read wherever the suite is shown; its code when a snapshot leaves it out on create.',
    examples: ['Acme Design Suite'],
  }),
  description: NullableText(20_000, { description: 'Which products are sold together and why, in prose.' }),
}

export const suiteItemFields = {
  ...suiteFields,
  members: NamedList(
    Patchable(suiteMemberFields, ['productCode'], { description: 'A product of the suite.' }),
    ['productCode', 'productVersion'],
    {
      'x-sorted-by': 'sortOrder',
      description:
        'The products that are sold together, each told apart by code and version. A product may be in several suites; one that only the environment has stays.',
    },
  ),
}
export type Suite = FullOf<typeof suiteItemFields>
export type SuiteItem = PatchOf<typeof suiteItemFields>
export const SuiteItem = Patchable(suiteItemFields, ['code'], {
  description:
    "Products that are sold together. A product's own suite of one exists by itself and is not written here.",
})
