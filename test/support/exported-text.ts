import { expect } from 'vitest'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { readSnapshot } from '../../cli/catalog-files/snapshot-reading.ts'
import { planWriting } from '../../cli/catalog-files/writing-plan.ts'

export const readCatalogFile = (name: string, text: string) =>
  readSnapshot({ files: [{ name, bytes: new TextEncoder().encode(text) }], refusals: [] })

/** What an export of an environment's catalog over one file would do. */
export const planExport = (text: string, environment: Partial<Snapshot>, name = 'x.yaml') =>
  planWriting(readCatalogFile(name, text), { formatVersion: '1.0', ...environment }, { schema: 'x.json' })

/** A file's text once an environment's catalog was exported over it. */
export function exportedText(text: string, environment: Partial<Snapshot>, name = 'x.yaml'): string {
  const plan = planExport(text, environment, name)
  expect(plan.conflicts).toEqual([])
  expect(plan.writes.map((write) => write.name)).toEqual([name])
  return plan.writes[0]!.text
}
