import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { movingPointers } from '../../kit/moving-pointers.ts'
import type { Cause } from '../../kit/outbox.ts'
import { invalid, recordNotFound } from '../../kit/problem.ts'
import { mutation } from '../../kit/procedure.ts'
import { readBody } from '../../kit/records/body.ts'
import { issueCode } from '../activation-codes/issuing.ts'
import { entitlementBodyFields } from '../entitlements/contract.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { answerEntitlement } from '../entitlements/wire.ts'
import { keepCatalogFor } from '../entitlements/writing.ts'
import { isOver } from '../life/standing.ts'
import { getOffer, listOffersNamed } from '../offers/store.ts'
import { chooseOfferNow, isCloned } from './choosing.ts'
import { cloneOffer } from './cloning.ts'
import { type Cloning, fromOfferContract, operationalFromOfferContract } from './contract.ts'

/** Makes an entitlement of an offer, and a code of it if one is asked for. */
async function clone(context: WriteContext, cloning: Cloning) {
  const cause = causeOf(context)
  await keepCatalogFor(cause, cloning.entitlementParameters?.tags ?? [])
  const offer = await findOffer(cause, cloning)
  const row = await movingPointers(
    (pointer) => `/entitlementParameters${pointer}`,
    async () => {
      const { isOffer, ...given } = readBody(entitlementBodyFields, cloning.entitlementParameters ?? {})
      if (isOffer) throw invalid([{ pointer: '/isOffer', message: 'a clone of an offer is an entitlement' }])
      return cloneOffer(cause, offer, given, cloning.includeTrial ?? true)
    },
  )
  const workflow = cloning.licenseActivationWorkflowParameters
  const issued =
    workflow &&
    (await issueCode({ ...cause, sealer: context.sealer }, row, workflow, '/licenseActivationWorkflowParameters'))
  return {
    entitlement: await answerEntitlement(cause.tx, cause.tenantId, row.id),
    activationWorkflow: issued?.record ?? null,
    activationCode: issued?.activationCode ?? null,
  }
}

/** The offer that is meant, by id or else by name; throws the validation problem when none is named or none is for sale, the not-found problem when there is none. */
async function findOffer({ tx, tenantId, now }: Cause, cloning: Cloning): Promise<EntitlementRow> {
  const { entitlementOfferId: id, fromEntitlementOfferName: name, withEntitlementOfferVersion: version } = cloning
  if (id) return requireCloned(await getOffer(tx, tenantId, id), now, '/entitlementOfferId')
  if (!name) throw invalid([{ pointer: '/entitlementOfferId', message: 'say which offer, by its id or its name' }])
  const offers = await listOffersNamed(tx, tenantId, name, version || null)
  if (offers.length === 0) throw recordNotFound('offer')
  return requireCloned(chooseOfferNow(offers, now) ?? offers[0]!, now, '/fromEntitlementOfferName')
}

function requireCloned(offer: EntitlementRow, now: number, pointer: string): EntitlementRow {
  const reason = isCloned(offer) ? (isOver(offer, now) ? 'has ended' : undefined) : `is ${offer.status}`
  if (reason !== undefined) throw invalid([{ pointer, message: `that offer ${reason}: no entitlement is made of it` }])
  return offer
}

export const fromOffer = mutation(fromOfferContract, clone)
export const operationalFromOffer = mutation(operationalFromOfferContract, clone)
