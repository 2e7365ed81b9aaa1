import { tagsOf } from '../../catalog/records/tagging.ts'
import type { Cause } from '../../kit/outbox.ts'
import { blankEntitlement } from '../entitlements/blank.ts'
import { copyOffered } from '../entitlements/copied-products.ts'
import type { Given } from '../entitlements/drafting.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { createEntitlement } from '../entitlements/writing.ts'
import { offeredTrial } from '../life/trials.ts'

/**
 * Makes an entitlement of an offer, with what `given` has of it otherwise, and answers its row: products, features, plan,
 * policies, tags and monitored assets are the offer's, copied. Without its trial it is no trial, whatever is given.
 */
export async function cloneOffer(
  cause: Cause,
  offer: EntitlementRow,
  given: Given,
  includeTrial = true,
): Promise<EntitlementRow> {
  const tags = (await tagsOf(cause.tx, cause.tenantId, [offer.id])).get(offer.id)
  const plan = { assignedPlanSetId: offer.assigned_plan_set_id, assignedPlanName: offer.assigned_plan_name }
  const fields = {
    ...(offer.assigned_plan_set_id === null ? {} : plan),
    ...given,
    ...(includeTrial ? {} : { trialPolicy: null, isEntitlementTrial: false }),
  }
  return createEntitlement(cause, await copyOf(cause, offer), fields, tags)
}

/** A new entitlement with what it has of the offer's own row; that the offer is one, and what others call it, is not copied. */
async function copyOf(cause: Cause, offer: EntitlementRow): Promise<EntitlementRow> {
  return {
    ...blankEntitlement(cause),
    ...(await copyOffered(cause.tx, cause.tenantId, offer)),
    name: offer.name,
    version: offer.version,
    description: offer.description,
    legal_notice_html: offer.legal_notice_html,
    ...offeredTrial(offer),
    not_valid_before_date_time: offer.not_valid_before_date_time,
    expiration_date_time: offer.expiration_date_time,
    reference: offer.reference,
    metadata: offer.metadata,
    activation_policy: offer.activation_policy,
    license_policy: offer.license_policy,
    anonymous_try_policy: offer.anonymous_try_policy,
    renewal_policy: offer.renewal_policy,
    key_issuance_policy: offer.key_issuance_policy,
    source_offer_id: offer.id,
  }
}
