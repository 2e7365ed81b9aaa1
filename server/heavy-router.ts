import { router } from './kit/procedure.ts'
import { reportProcedures } from './reports/router.ts'
import { snapshotProcedures } from './snapshot/procedures.ts'

/** The operations of the heavy lane, which its thread is to be ready for soon: it loads no others. */
export const heavyRouter = router({ admin: router({ catalog: snapshotProcedures, reports: reportProcedures }) })
