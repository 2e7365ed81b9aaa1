import { planSetItemFields } from '../../../catalog-schema/plan-set.ts'
import type { FilterField } from '../../kit/filter/fields.ts'
import { commonFilterFields, filterFieldsOf, storedFields } from '../../kit/records/columns.ts'

/** The fields of a plan set that have columns of their own; its suite and its plans' products are kept by id. */
export const planSetStorage = storedFields(planSetItemFields, ['suiteCode', 'plans'])

export const planSetFilterFields: readonly FilterField[] = [
  ...commonFilterFields('plan_sets'),
  ...filterFieldsOf('plan_sets', planSetStorage),
  { name: 'suiteId', column: 'plan_sets.suite_id', nullable: false, type: 'uuid' },
  { name: 'revisionDate', column: 'plan_sets.revision_date', nullable: false, type: 'instant' },
]
