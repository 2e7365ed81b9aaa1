import type { Static } from 'typebox'
import { toInstant } from '../../kit/instants.ts'
import { tailOf } from '../../kit/records/answers.ts'
import type { PlanSetRecord } from './contract.ts'
import { type PlanSetRow, readPlans } from './items.ts'

/** A plan set as it is answered, plans by sort order. */
export const toWire = (row: PlanSetRow): Static<typeof PlanSetRecord> => ({
  id: row.id,
  suiteId: row.suite_id,
  name: row.name,
  description: row.description,
  status: row.status as Static<typeof PlanSetRecord>['status'],
  revisionDate: toInstant(row.revision_date),
  plans: readPlans(row),
  ...tailOf(row),
})
