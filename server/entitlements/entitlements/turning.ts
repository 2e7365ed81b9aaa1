import { refuseErrors } from '../../catalog/records/judging.ts'
import { lockCatalog, moveRevision } from '../../catalog/records/revision.ts'
import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { no } from '../../kit/flags.ts'
import { requireRevision } from '../../kit/if-match.ts'
import type { Cause } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import { fitMeters } from '../../metering/meters/fitting.ts'
import { offeredTrial } from '../life/trials.ts'
import { makeOfferOf } from '../offers/editing.ts'
import { choosePlan } from '../offers/given-plan.ts'
import { getOffer } from '../offers/store.ts'
import { copyOffered, offerOwn } from './copied-products.ts'
import type { Given } from './drafting.ts'
import { listHanging } from './hanging.ts'
import { type EntitlementRow, holdSeats, lockEntitlement } from './loading.ts'
import { editEither, isOfferId, ofOffer } from './offers-among.ts'
import { rewriteEntitlement } from './writing.ts'

/** Writes what a request makes of an entitlement, or an offer, that is to be an offer, or none: it becomes that if need be. */
export async function editAs(context: WriteContext, id: string, isOffer: boolean, given: Given): Promise<void> {
  await lockCatalog(context.tx, context.tenant.id)
  if (isOffer === (await isOfferId(context, id))) await editEither(context, id, given)
  else if (isOffer) await turnIntoOffer(context, id, ofOffer(given))
  else await turnIntoEntitlement(context, id, given)
}

/**
 * Makes an offer of a Draft entitlement that nothing hangs on, and writes what a request makes of that: values of its own
 * features that its products have not become values that the offer sets. Throws the not-found problem, or catalog.in_use.
 */
async function turnIntoOffer(context: WriteContext, id: string, given: Given): Promise<void> {
  const cause = causeOf(context)
  const { tx, tenantId } = cause
  await holdSeats(tx, tenantId, id)
  const row = await lockEntitlement(tx, tenantId, id)
  requireRevision(context, row.revision_number)
  const hanging = row.status === 'Draft' ? await listHanging(cause, row) : []
  refuseUnlessFree(row, hanging.length > 0 ? `it has ${hanging.join(', ')}` : undefined)
  await fitMeters(cause, row.id, [], (own) => own)
  for (const table of ['entitlement_products', 'seat_counts'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('entitlement_id', '=', row.id).execute()
  await makeOfferOf(context, { ...row, products: await offerOwn(tx, tenantId, row) }, given)
}

/** Makes an entitlement of a Draft offer that nothing was cloned from, as a clone would be, and writes what a request makes of that. Throws the not-found problem, or catalog.in_use. */
async function turnIntoEntitlement(context: WriteContext, id: string, given: Given): Promise<void> {
  const cause = causeOf(context)
  const { tx, tenantId } = cause
  const offer = await getOffer(tx, tenantId, id)
  requireRevision(context, offer.revision_number)
  refuseUnlessFree(offer, await tellClones(cause, offer.id))
  const { assignedPlanSetId: _set, assignedPlanName: _plan, ...fields } = given
  const { choice, errors } = choosePlan(
    { planSetId: offer.assigned_plan_set_id, planName: offer.assigned_plan_name },
    given,
  )
  refuseErrors(errors)
  const plan = { assignedPlanSetId: choice.planSetId, assignedPlanName: choice.planName }
  const start = {
    ...offer,
    ...(await copyOffered(tx, tenantId, offer)),
    is_offer: 0,
    ...offeredTrial(offer),
    assigned_plan_set_id: null,
    assigned_plan_name: null,
  }
  await rewriteEntitlement(cause, offer, choice.planSetId === null ? fields : { ...fields, ...plan }, start)
  await moveRevision(tx, tenantId)
}

/** The entitlements that were cloned from an offer and are there, in words; undefined when there are none. */
async function tellClones({ tx, tenantId }: Cause, offerId: string): Promise<string | undefined> {
  const clones = await tx
    .selectFrom('entitlements')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('source_offer_id', '=', offerId)
    .where('is_deleted', '=', no)
    .orderBy('id')
    .limit(2)
    .execute()
  const [first, ...more] = clones.map(({ id, name }) => `entitlement:${name ?? id}`)
  return first && `${first}${more.length > 0 ? ' and others were' : ' was'} cloned from it`
}

function refuseUnlessFree({ is_offer, status }: EntitlementRow, hanging: string | undefined): void {
  const reason = status === 'Draft' ? hanging : `it is ${status}, no Draft`
  const what = is_offer === 1 ? 'offer' : 'entitlement'
  if (reason !== undefined) throw new Problem('catalog.in_use', `The ${what} stays one: ${reason}.`)
}
