import { clientProcedures } from './clients/procedures.ts'
import { discoveryProcedures } from './discovery/procedures.ts'
import { scopeProcedures } from './scopes/procedures.ts'
import { keyProcedures } from './signing-keys/procedures.ts'
import { testClockProcedures } from './test-clock/procedures.ts'

/** What the access room adds to the router. */
export const accessProcedures = {
  admin: { clients: clientProcedures, keys: keyProcedures, testClock: testClockProcedures },
  scopes: scopeProcedures,
  discovery: discoveryProcedures,
}
