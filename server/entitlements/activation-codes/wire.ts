import { tailOf } from '../../kit/records/answers.ts'
import { fromColumns } from '../../kit/records/columns.ts'
import type { Sealer } from '../../kit/sealing.ts'
import { codeTextOf } from './code-text.ts'
import type { CodeRecord } from './contract.ts'
import { workflowStorage } from './fields.ts'
import type { workflowFields } from './parameters.ts'
import { statusOf } from './status.ts'
import type { CodeRowNow } from './store.ts'

/** A code as it is answered, with its status by now. */
export const toWire = (sealer: Sealer, row: CodeRowNow, now: number): CodeRecord => ({
  id: row.id,
  entitlementId: row.entitlement_id,
  status: statusOf(row, now),
  usedActivations: row.held_activations,
  ...(fromColumns(workflowStorage, row, { activationCode: codeTextOf(sealer, row) }) as Pick<
    CodeRecord,
    keyof typeof workflowFields
  >),
  ...tailOf(row),
})
