import { offerItemFields } from '../../../catalog-schema/offer.ts'
import { tagFilterField } from '../../catalog/records/tagging.ts'
import type { FilterField } from '../../kit/filter/fields.ts'
import { commonFilterFields, filterFieldsOf, storedFields } from '../../kit/records/columns.ts'

/** The fields of an offer in a snapshot that have columns of their own; its products and its plan are kept by id. */
export const offerStorage = storedFields(offerItemFields, ['products', 'assignedPlan'])

export const offerFilterFields: readonly FilterField[] = [
  ...commonFilterFields('entitlements'),
  ...filterFieldsOf('entitlements', offerStorage),
  { name: 'isOffer', column: 'entitlements.is_offer', nullable: false, type: 'boolean' },
  { name: 'assignedPlanSetId', column: 'entitlements.assigned_plan_set_id', nullable: true, type: 'uuid' },
  { name: 'assignedPlanName', column: 'entitlements.assigned_plan_name', nullable: true, type: 'text' },
  tagFilterField('entitlements'),
]
