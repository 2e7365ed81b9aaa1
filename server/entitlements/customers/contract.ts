import { Name, NullableText } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { NullableEmail } from '../../access/users/email-address.ts'
import { collectionContracts } from '../../kit/collection.ts'
import { recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { recordKind } from '../../kit/records/kind.ts'

const customerFields = {
  name: Name(300, { description: 'Who the customer is; two customers may have one name.' }),
  email: NullableEmail('Where the customer is reached.'),
  externalReference: NullableText(300, { description: 'What another system of the vendor calls the customer.' }),
  description: NullableText(20_000, { description: 'What else is to be known of the customer, in prose.' }),
  metadata: NullableText(65_536, { description: 'Whatever other systems keep with the customer, as text.' }),
}

export const customerKind = recordKind('customers', customerFields)

/** A customer as it is answered. */
const CustomerRecord = Closed(
  { ...recordId, ...customerFields, ...recordTail },
  { description: 'Who entitlements are sold to.' },
)

export const customerContracts = collectionContracts({
  name: 'admin.customers',
  noun: 'customer',
  plural: 'customers',
  path: 'admin/customers',
  scope: 'customers',
  record: CustomerRecord,
  create: bodyOf(customerFields, ['name']),
  update: bodyOf(customerFields),
  replace: bodyOf(customerFields, ['name']),
  filterable: customerKind.filterFields.map(({ name }) => name),
  deleteProblems: ['catalog.in_use'],
})
