import { blankEntitlement } from '../../server/entitlements/entitlements/blank.ts'
import type { EntitlementRow } from '../../server/entitlements/entitlements/loading.ts'
import type { Cause } from '../../server/kit/outbox.ts'

/** An entitlement's row as it is stored, blank but for the fields given; with a trial policy it is a trial unless they say otherwise. */
export const entitlementRow = ({
  trialPolicy,
  renewalPolicy,
  ...fields
}: Partial<EntitlementRow> & { trialPolicy?: object; renewalPolicy?: object } = {}): EntitlementRow => ({
  ...blankEntitlement({ tenantId: 'tenant', actor: 'test', now: 0 } as Cause),
  is_entitlement_trial: trialPolicy ? 1 : 0,
  trial_policy: trialPolicy ? JSON.stringify(trialPolicy) : null,
  renewal_policy: renewalPolicy ? JSON.stringify(renewalPolicy) : null,
  ...fields,
})
