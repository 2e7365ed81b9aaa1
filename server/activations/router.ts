import { listByEntitlement, sessions } from './administration/procedures.ts'
import { check } from './admission/procedures.ts'
import { tryProcedure } from './anonymous-try/procedures.ts'
import { issue } from './offline/procedures.ts'
import { registrationAdministration, registrations } from './registrations/procedures.ts'
import { listBySession } from './session-assets/procedures.ts'
import { sessionProcedures } from './sessions/procedures.ts'
import { usageProcedures } from './usage/procedures.ts'
import { uploadProcedures } from './usage/upload-procedures.ts'

/** What activations add to the router: to the runtime, below `admin` and below `operational`. */
export const activationProcedures = {
  activations: { ...sessionProcedures, try: tryProcedure, admission: { check } },
  usage: { ...usageProcedures, ...uploadProcedures },
  registrations,
  admin: { sessions, registrations: registrationAdministration },
  /** Beside what the catalog has of monitored assets. */
  monitoredAssets: { listBySession },
  operational: { activations: { listByEntitlement, offline: { issue } } },
}
