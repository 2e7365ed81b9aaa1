import { auditProcedures } from './audit/procedures.ts'
import { clientProcedures } from './clients/procedures.ts'
import { discoveryProcedures } from './discovery/procedures.ts'
import { organizationGroupProcedures } from './organization-groups/procedures.ts'
import { scopeProcedures } from './scopes/procedures.ts'
import { settingsProcedures } from './settings/procedures.ts'
import { keyProcedures } from './signing-keys/procedures.ts'
import { testClockProcedures } from './test-clock/procedures.ts'
import { issueUserToken } from './user-tokens/procedures.ts'
import { userProcedures } from './users/procedures.ts'

/** What the access room adds to the router. */
export const accessProcedures = {
  admin: {
    audit: auditProcedures,
    clients: clientProcedures,
    keys: keyProcedures,
    testClock: testClockProcedures,
    users: userProcedures,
    organizationGroups: organizationGroupProcedures,
    settings: settingsProcedures,
  },
  operational: { users: { issueToken: issueUserToken } },
  scopes: scopeProcedures,
  discovery: discoveryProcedures,
}
