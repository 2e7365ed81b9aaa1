import { query } from '../../kit/procedure.ts'
import { schemasContract } from './contract.ts'
import { listEventTypes } from './listing.ts'

/** What receivers are written by. */
export const schemas = query(schemasContract, async () => ({ eventTypes: listEventTypes() }))
