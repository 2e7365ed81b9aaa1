import { keepCatalog } from '../../catalog/records/revision.ts'
import type { Tx } from '../../database/database.ts'
import { chooseOfferNow } from '../../entitlements/cloning/choosing.ts'
import { cloneOffer } from '../../entitlements/cloning/cloning.ts'
import { type EntitlementRow, findEntitlements } from '../../entitlements/entitlements/loading.ts'
import { saveEntitlement } from '../../entitlements/entitlements/saving.ts'
import { endOf } from '../../entitlements/life/standing.ts'
import { countTries, listTryableOffers, lockTryableOffer } from '../../entitlements/offers/tryable.ts'
import { activationPolicyOf, anonymousTryPolicyOf, licensePolicyOf } from '../../entitlements/policies/effective.ts'
import { isSeatHeld } from '../../entitlements/seats/holding.ts'
import type { RequestContext } from '../../kit/context.ts'
import { addDuration } from '../../kit/duration-adding.ts'
import { toInstant } from '../../kit/instants.ts'
import { writable } from '../../kit/last-instant.ts'
import { invalid, Problem, recordNotFound } from '../../kit/problem.ts'
import { actorOf } from '../../kit/procedure.ts'
import type { ActivationAsked } from '../sessions/asking.ts'
import { type Done, settle } from '../sessions/batch.ts'
import { findSameDevice, neededOf } from '../sessions/component-matching.ts'
import type { TryRequest } from '../sessions/contract.ts'
import { findActivatedWith } from '../sessions/former-fingerprints.ts'
import type { SessionRow } from '../sessions/licensed.ts'
import { closedDetail } from '../sessions/precedence.ts'
import { deviceOf } from '../sessions/preparing.ts'
import { doneOf } from '../sessions/settling.ts'
import { sessionsOfFormerDevices, trialsAlike, trialsOfDevices } from '../sessions/store.ts'
import { holderOfTries } from './holder.ts'
import { recordNewTry } from './limiting.ts'

/**
 * A visitor's device tries an offer: it gets an entitlement of its own, cloned from the offer and over when the policy's
 * duration is, and a session on it; trying again gives the same. Throws the problem of a refusal.
 */
export async function tryNow(tx: Tx, context: RequestContext, request: TryRequest): Promise<Done> {
  const { now } = context
  // Before the offer is locked, which is cloned: the order in which all lock them.
  await keepCatalog(tx, context.tenant.id)
  const offer = await findOffer(tx, context, request)
  const holder = holderOfTries(offer.id)
  const device = deviceOf(context, request)
  const earlier = await findEarlier(tx, offer, device)
  if (!(await isTrying(tx, earlier, now))) await requireRoom(tx, offer, now)
  const entitlementId = earlier?.entitlement_id ?? (await newTry(tx, context, offer))
  const asked = { ...device, codeKeys: null, entitlementId, holder, user: null }
  return doneOf((await settle(tx, [{ context, asked }]))[0]!)
}

/** The session of the device's earlier try, known again as the offer's license policy says. */
async function findEarlier(
  tx: Tx,
  offer: EntitlementRow,
  { fingerprint, components }: Pick<ActivationAsked, 'fingerprint' | 'components'>,
): Promise<SessionRow | undefined> {
  const [tenantId, holder] = [offer.tenant_id, holderOfTries(offer.id)]
  const [same] = await trialsOfDevices(tx, tenantId, [[holder, fingerprint]])
  const { componentMatchingStrategy: strategy } = licensePolicyOf(offer)
  if (same || strategy === 'MatchAll') return same
  const former = await sessionsOfFormerDevices(tx, tenantId, [[holder, fingerprint]])
  const before = findActivatedWith(fingerprint, former)
  if (before || !components) return before
  const sought = { sent: components, needed: neededOf(strategy, components) }
  return findSameDevice(strategy, components, await trialsAlike(tx, tenantId, holder, [sought]))
}

/** Refuses a device that is not trying where the offer takes none, or no more. */
async function requireRoom(tx: Tx, offer: EntitlementRow, now: number): Promise<void> {
  if (offer.activations_enabled === 0) throw new Problem('license.entitlement_not_active', closedDetail)
  const most = anonymousTryPolicyOf(offer)?.maxDevices ?? null
  if (most !== null && (await countTries(tx, offer.tenant_id, offer.id, now)) >= most)
    throw new Problem('license.seats_exhausted', 'As many devices as may be are trying this already.')
}

/** Whether a device is counted as trying already (`countTries`). */
async function isTrying(tx: Tx, session: SessionRow | undefined, now: number): Promise<boolean> {
  if (session?.is_seated !== 1) return false
  if (session.grace_expires_at > now) return true
  const [entitlement] = await findEntitlements(tx, session.tenant_id, [session.entitlement_id])
  return entitlement !== undefined && isSeatHeld(session, licensePolicyOf(entitlement), now)
}

/** The offer that is to be tried, locked; it is not found when it may not be tried. */
async function findOffer(tx: Tx, context: RequestContext, request: TryRequest): Promise<EntitlementRow> {
  const id = request.offerId ?? (await findByProduct(tx, context, request.productCode ?? null))
  const offer = id === undefined ? undefined : await lockTryableOffer(tx, context.tenant.id, id)
  if (!offer || !isTryable(offer)) throw recordNotFound('offer to try')
  return offer
}

const isTryable = (offer: EntitlementRow) =>
  anonymousTryPolicyOf(offer) !== null && (offer.status === 'Active' || offer.status === 'Draft')

async function findByProduct(tx: Tx, { tenant, now }: RequestContext, productCode: string | null) {
  if (productCode === null) throw invalid([{ pointer: '/productCode', message: 'give a productCode or an offerId' }])
  const offers = (await listTryableOffers(tx, tenant.id, productCode)).filter(isTryable)
  return chooseOfferNow(offers, now)?.id
}

/**
 * A new entitlement of the offer for one visitor, whoever that is: not renewed, no paid trial, over when the policy's duration
 * is, or the offer.
 */
async function newTry(tx: Tx, context: RequestContext, offer: EntitlementRow): Promise<string> {
  recordNewTry(context)
  const { tenant, now, correlationId } = context
  const cause = { tx, tenantId: tenant.id, now, actor: actorOf(context), correlationId }
  const start = Math.max(now, offer.not_valid_before_date_time ?? now)
  const tried = writable(addDuration(start, anonymousTryPolicyOf(offer)!.duration))
  const expirationDateTime = toInstant(Math.min(tried, endOf(offer) ?? tried))
  const given = { status: 'Active', expirationDateTime, renewalPolicy: null }
  const row = await cloneOffer(cause, { ...offer, activation_policy: visitorsPolicyOf(offer) }, given, false)
  await saveEntitlement(cause, { ...row, is_anonymous_try: 1 }, row)
  return row.id
}

/** What the offer's activation policy asks of a visitor's device: all but what only an account or a code can answer. */
function visitorsPolicyOf(offer: EntitlementRow): string | null {
  if (offer.activation_policy === null) return null
  const {
    requiredAuthenticationLevel: _level,
    requireNewUserVerification: _verification,
    requireOrganizationGroupMember: _group,
    requireActivationWorkflow: _workflow,
    requirePreConfiguredDeviceIdentification: _named,
    ...asked
  } = activationPolicyOf(offer)
  return JSON.stringify(asked)
}
