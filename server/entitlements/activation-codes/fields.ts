import type { FilterField } from '../../kit/filter/fields.ts'
import { commonFilterFields, filterFieldsOf, storedFields } from '../../kit/records/columns.ts'
import { workflowFields } from './parameters.ts'
import { codeStatuses } from './status.ts'

/** The parameters that have columns of their own; the code itself is kept sealed. */
export const workflowStorage = storedFields(workflowFields, ['activationCode']).map((field) =>
  field.name === 'expirationTimeStamp' ? { ...field, column: 'expires_at' } : field,
)

const table = 'activation_codes'

export const codeFilterFields: readonly FilterField[] = [
  ...commonFilterFields(table),
  ...filterFieldsOf(table, workflowStorage),
  { name: 'entitlementId', column: `${table}.entitlement_id`, nullable: false, type: 'uuid' },
  { name: 'status', column: `${table}.status`, nullable: false, type: 'enum', values: codeStatuses },
  { name: 'usedActivations', column: `${table}.held_activations`, nullable: false, type: 'integer' },
]

/** What lists that have codes are filtered by, too, and not sorted: the code itself, which is kept sealed and under a keyed hash. */
export const codeTextName = 'activationCode'

/** What a person is told of a code that was issued to them, beside the code itself: nothing of other people and devices. */
export const ownCodeFields = [
  'id',
  'entitlementId',
  'status',
  'usedActivations',
  'maxDeviceActivations',
  'useEntitlementMaxActivations',
  'email',
  'isTrialActivation',
  'requiresUserConsent',
  'expirationTimeStamp',
  'createdAt',
] as const

export const ownCodeFilterFields: readonly FilterField[] = [
  ...codeFilterFields.filter(({ name }) => ownCodeFields.some((field) => field === name)),
  { name: 'entitlementName', column: `${table}.entitlement_name`, nullable: true, type: 'text' },
]
