import { suiteItemFields } from '../../../catalog-schema/suite.ts'
import type { FilterField } from '../../kit/filter/fields.ts'
import { commonFilterFields, filterFieldsOf, storedFields } from '../../kit/records/columns.ts'

/** The fields of a suite that have columns of their own; its members are kept by product id. */
export const suiteStorage = storedFields(suiteItemFields, ['members'])

export const suiteFilterFields: readonly FilterField[] = [
  ...commonFilterFields('suites'),
  ...filterFieldsOf('suites', suiteStorage),
  { name: 'isImplicit', column: 'suites.is_implicit', nullable: false, type: 'boolean' },
]
