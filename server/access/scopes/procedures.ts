import { query } from '../../kit/procedure.ts'
import { listScopes } from './contract.ts'
import { knownScopes } from './known-scopes.ts'

export const scopeProcedures = { list: query(listScopes, async () => [...knownScopes]) }
