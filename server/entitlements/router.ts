import { activationCodes, operationalActivationCodes } from './activation-codes/procedures.ts'
import { entitlements, offers } from './offers/procedures.ts'
import { addOns, applyPlan } from './plans/procedures.ts'

/** What entitlements add to the router, below `admin`. */
export const entitlementProcedures = { entitlements: { ...entitlements, activationCodes, applyPlan, addOns }, offers }

/** What entitlements add below `operational`. */
export const operationalEntitlementProcedures = { entitlements: { activationCodes: operationalActivationCodes } }
