import { refuseErrors } from '../../catalog/records/judging.ts'
import { asRegistered } from '../../catalog/records/tagging.ts'
import type { Cause } from '../../kit/outbox.ts'
import { applyBody } from '../../kit/records/body.ts'
import { fromColumns, toColumns } from '../../kit/records/columns.ts'
import { beginWhereUsed } from '../life/beginning.ts'
import { defaultTrial, isTrial } from '../life/trials.ts'
import { offerBodyFields } from '../offers/contract.ts'
import { offerStorage } from '../offers/fields.ts'
import { type GivenProduct, givenIds, nameProducts } from '../offers/given-products.ts'
import { judgeOffer, loadOfferAround } from '../offers/written.ts'
import { trialPolicyOf } from '../policies/effective.ts'
import { requireGroup } from '../policies/required-group.ts'
import { draftProducts } from './given-features.ts'
import { holderColumns } from './holder-columns.ts'
import type { EntitlementRow } from './loading.ts'

/** What a request gives of an entitlement: nulls left out, emptied fields null. */
export type Given = Record<string, unknown>

/** An entitlement as a request leaves it, before its plan, its features and its status, and the tags it is to carry, if those change. */
export interface Draft {
  row: EntitlementRow
  tags: string[] | undefined
}

/** What a request makes of an entitlement that carries these tags; throws the validation problem, pointing into the request. */
export async function draftEntitlement(
  cause: Cause,
  before: EntitlementRow,
  carried: readonly string[],
  given: Given,
): Promise<Draft> {
  const { tx, tenantId } = cause
  const around = await loadOfferAround(tx, tenantId, givenIds(given.products), [])
  const { products, errors } = nameProducts((given.products ?? []) as GivenProduct[], around.names)
  refuseErrors(errors)
  await requireGroup(tx, tenantId, given)
  const stored = fromColumns(offerStorage, before, { tags: carried, products: [], assignedPlan: null })
  const merged = applyBody('entitlementOffer', offerBodyFields, stored, ofOffers(given))
  const tags = await asRegistered(tx, tenantId, 'Entitlement', merged.tags as string[])
  const trial = isMeantAsTrial(before, merged, given) ? { trialPolicy: defaultTrial } : {}
  const item = judgeOffer({ ...merged, ...trial, products, tags }, around)
  const drafted = {
    ...before,
    ...toColumns(fieldsOfOffers, item),
    ...(await holderColumns(tx, tenantId, given)),
  } as EntitlementRow
  const stood = { ...drafted, ...(await draftProducts(cause, before, given)), ...trialOf(before, drafted, given) }
  const row = await beginWhereUsed(cause, before, stood)
  return { row, tags: item.tags.join('\n') === carried.join('\n') ? undefined : item.tags }
}

/** The columns that offers have too; how status, products and plan change is told elsewhere. */
const fieldsOfOffers = offerStorage.filter(({ name }) => name !== 'status')

/** What a request says of the fields that offers have too. */
function ofOffers(given: Given): Given {
  const names = offerStorage.map(({ name }) => name)
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => names.includes(name) && name !== 'status' && name !== 'products'),
  )
}

/** Whether a request makes a trial of what is left without a trial policy; one that was marked so before, and had none, stays as it is. */
const isMeantAsTrial = (before: EntitlementRow, { trialPolicy }: Given, { isEntitlementTrial }: Given) =>
  isEntitlementTrial === true &&
  trialPolicy === null &&
  (before.is_entitlement_trial === 0 || before.trial_policy !== null)

/**
 * Whether it is a trial now that a request gives its trial policy, unless the request says so: a Draft is one by a policy in
 * force. What is Active or Suspended follows when the policy is switched on, unless it had its trial or has an end, which
 * is paid for, and when it is switched off, and then it is as if its trial had never begun.
 */
function trialOf(before: EntitlementRow, row: EntitlementRow, given: Given): Partial<EntitlementRow> {
  if (!('trialPolicy' in given) || 'isEntitlementTrial' in given) return {}
  const isInForce = trialPolicyOf(row) !== null
  if (row.status === 'Draft') return { is_entitlement_trial: isInForce ? 1 : 0 }
  if (row.status !== 'Active' && row.status !== 'Suspended') return {}
  const isUnpaid = row.trial_started_at === null && row.expiration_date_time === null
  if (isInForce) return trialPolicyOf(before) === null && isUnpaid ? { is_entitlement_trial: 1 } : {}
  return isTrial(before) ? { is_entitlement_trial: 0, trial_started_at: null, trial_ends_at: null } : {}
}
