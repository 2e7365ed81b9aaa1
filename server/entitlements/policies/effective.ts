import type { TProperties } from 'typebox'
import {
  activationPolicyFields,
  anonymousTryPolicyFields,
  keyIssuancePolicyFields,
  licensePolicyFields,
  renewalPolicyFields,
  trialPolicyFields,
} from '../../../catalog-schema/policies.ts'
import type { FullOf } from '../../../catalog-schema/shapes.ts'

/** A stored policy with what it leaves out at its default; a policy that is not there (null) is all defaults. */
function effective<P extends TProperties>(fields: P, stored: string | null): FullOf<P> {
  const said = stored === null ? {} : (JSON.parse(stored) as Record<string, unknown>)
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      said[name] ?? (schema as { default?: unknown }).default ?? (isList(schema) ? [] : null),
    ]),
  ) as FullOf<P>
}

const isList = (schema: object) => (schema as { type?: unknown }).type === 'array'

type LeaseSaid = Partial<Pick<FullOf<typeof licensePolicyFields>, 'licenseModel' | 'leaseTime' | 'graceTime'>>
export type LicensePolicy = FullOf<typeof licensePolicyFields> & { leaseTime: string; graceTime: string }
export type ActivationPolicy = FullOf<typeof activationPolicyFields>
export type TrialPolicy = FullOf<typeof trialPolicyFields>
export type AnonymousTryPolicy = FullOf<typeof anonymousTryPolicyFields>
export type RenewalPolicy = FullOf<typeof renewalPolicyFields>
export type KeyIssuancePolicy = FullOf<typeof keyIssuancePolicyFields>

/** How seats are held and leases last. */
export const licensePolicyOf = ({ license_policy }: { license_policy: string | null }): LicensePolicy =>
  withLease(effective(licensePolicyFields, license_policy))

/** A license policy with the lease and grace that hold where it says none, which depend on the model. */
export function withLease<P extends LeaseSaid>(policy: P): P & { leaseTime: string; graceTime: string } {
  const isFloating = policy.licenseModel === 'Floating'
  return {
    ...policy,
    leaseTime: policy.leaseTime ?? (isFloating ? 'PT10M' : 'P7D'),
    graceTime: policy.graceTime ?? (isFloating ? 'PT0S' : 'P3D'),
  }
}

/** By what it is told how long seats are held: the model, and the timeout where that counts. */
export function seatRuleOf(row: { license_policy: string | null }): string {
  const { licenseModel, inactivityTimeout } = licensePolicyOf(row)
  return licenseModel === 'InactivityBased' ? `${licenseModel} ${inactivityTimeout}` : licenseModel
}

/** Who may activate, and from where. */
export const activationPolicyOf = ({ activation_policy }: { activation_policy: string | null }): ActivationPolicy =>
  effective(activationPolicyFields, activation_policy)

/** How activation codes are written. */
export const keyIssuancePolicyOf = ({
  key_issuance_policy,
}: {
  key_issuance_policy: string | null
}): KeyIssuancePolicy => effective(keyIssuancePolicyFields, key_issuance_policy)

/** The trial; null when there is none, or it is switched off. */
export const trialPolicyOf = ({ trial_policy }: { trial_policy: string | null }): TrialPolicy | null =>
  enabled(trial_policy === null ? null : effective(trialPolicyFields, trial_policy))

/** How visitors may try; null when they may not. */
export const anonymousTryPolicyOf = (row: { anonymous_try_policy: string | null }): AnonymousTryPolicy | null =>
  enabled(row.anonymous_try_policy === null ? null : effective(anonymousTryPolicyFields, row.anonymous_try_policy))

const enabled = <P extends { enabled: boolean }>(policy: P | null) => (policy?.enabled ? policy : null)

/** How subscription periods follow one another; null when the entitlement has none. */
export const renewalPolicyOf = ({ renewal_policy }: { renewal_policy: string | null }): RenewalPolicy | null =>
  renewal_policy === null ? null : usualRenewalOf({ renewal_policy })

/** The same with the defaults where there is none, as of what is renewed all the same. */
export const usualRenewalOf = ({ renewal_policy }: { renewal_policy: string | null }): RenewalPolicy =>
  effective(renewalPolicyFields, renewal_policy)
