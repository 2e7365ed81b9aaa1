import { accessProcedures } from './access/router.ts'
import { catalogProcedures } from './catalog/router.ts'
import { entitlementProcedures, operationalEntitlementProcedures } from './entitlements/router.ts'
import { router } from './kit/procedure.ts'
import { snapshotProcedures } from './snapshot/procedures.ts'

/** The table of contents: every operation, by audience and resource. */
export const appRouter = router({
  discovery: router(accessProcedures.discovery),
  scopes: router(accessProcedures.scopes),
  admin: router({
    ...accessProcedures.admin,
    ...catalogProcedures,
    ...entitlementProcedures,
    catalog: snapshotProcedures,
  }),
  operational: router(operationalEntitlementProcedures),
})

export type AppRouter = typeof appRouter
