import { entitlements, offers } from './offers/procedures.ts'

/** What entitlements add to the router, below `admin`. */
export const entitlementProcedures = { entitlements, offers }
