import { planImport } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { environmentOf } from './applied-plan.ts'

/** What a snapshot says, without its formatVersion. */
export type Part = Partial<Snapshot>

const snapshot = (part: Part): Snapshot => ({ formatVersion: '1.0', ...part })

/** What is wrong with importing a snapshot into an environment that holds another. */
export const faults = (given: Part, held: Part): string[] =>
  planImport(environmentOf(snapshot(held)), snapshot(given)).errors.map(
    ({ key, path, codeName }) => `${codeName} ${key} ${path}`,
  )
