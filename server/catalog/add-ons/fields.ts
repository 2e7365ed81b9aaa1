import { addOnItemFields } from '../../../catalog-schema/add-on.ts'
import type { FilterField } from '../../kit/filter/fields.ts'
import { commonFilterFields, filterFieldsOf, storedFields } from '../../kit/records/columns.ts'

/** The fields of an add-on that have columns of their own; its suite and features are kept by id. */
export const addOnStorage = storedFields(addOnItemFields, ['suiteCode', 'features'])

export const addOnFilterFields: readonly FilterField[] = [
  ...commonFilterFields('add_ons'),
  ...filterFieldsOf('add_ons', addOnStorage),
  { name: 'suiteId', column: 'add_ons.suite_id', nullable: false, type: 'uuid' },
]
