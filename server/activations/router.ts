import { listByEntitlement, sessions } from './administration/procedures.ts'
import { check } from './admission/procedures.ts'

/** What activations add to the router: to the runtime, below `admin` and below `operational`. */
export const activationProcedures = {
  activations: { admission: { check } },
  admin: { sessions },
  operational: { activations: { listByEntitlement } },
}
