import { activationCodes, operationalActivationCodes } from './activation-codes/procedures.ts'
import { balances, entitlementUsage } from './balances/procedures.ts'
import { campaignProcedures } from './campaigns/procedures.ts'
import { fromOffer, operationalFromOffer } from './cloning/procedures.ts'
import { creditGrants } from './credit-grants/procedures.ts'
import { customerProcedures } from './customers/procedures.ts'
import { entitlements } from './entitlements/procedures.ts'
import { life, offerLife, operationalLife } from './life/procedures.ts'
import { offers } from './offers/procedures.ts'
import { planChangeRequests } from './plan-changes/procedures.ts'
import { addOns, applyPlan } from './plans/procedures.ts'
import { offerPolicies, policies } from './policies/procedures.ts'
import { principals } from './principals/procedures.ts'

/** What entitlements add to the router, below `admin`. */
export const entitlementProcedures = {
  entitlements: { ...entitlements, ...life, policies, activationCodes, applyPlan, addOns, principals },
  offers: { ...offers, ...offerLife, policies: offerPolicies, fromOffer },
  customers: customerProcedures,
  campaigns: campaignProcedures,
  planChangeRequests,
}

/** What entitlements add below `operational`. */
export const operationalEntitlementProcedures = {
  entitlements: {
    ...operationalLife,
    fromOffer: operationalFromOffer,
    activationCodes: operationalActivationCodes,
    balances,
    creditGrants,
    usage: entitlementUsage,
  },
}
