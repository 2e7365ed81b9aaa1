import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { readCatalogSource } from '../../../cli/catalog-files/directory.ts'
import { readSnapshot } from '../../../cli/catalog-files/snapshot-reading.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, clearCatalog, type ReportedItem } from './scene.ts'

const folder = join(import.meta.dirname, '../../catalogs')

/** The catalog of a fixture's directory; an empty one where there is none. */
async function readFixture(directory: string): Promise<Snapshot> {
  if (!existsSync(directory)) return { formatVersion: '1.0' }
  const { snapshot, refusals } = readSnapshot(await readCatalogSource(directory))
  expect(refusals).toEqual([])
  return snapshot
}

/** What a report says of the catalogs themselves, and of nothing that is this environment's or this call's alone. */
function told({ summary, items, onlyHere, errors, warnings }: ReturnType<typeof bodyOf>): string {
  const changed = items.map(({ fingerprint: _own, ...item }: ReportedItem) => item)
  return `${JSON.stringify({ summary, items: changed, onlyHere, errors, warnings }, null, 2)}\n`
}

forEachStore((store) => {
  describe('an environment as in before, and the catalog of after', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)
    beforeEach(() => clearCatalog(server.databaseUrl, server.tenantIds.acme))

    test.each(readdirSync(folder).sort())('%s: compare says report.json, and import does it', async (name) => {
      const fixture = join(folder, name)
      const [before, after] = [await readFixture(join(fixture, 'before')), await readFixture(join(fixture, 'after'))]
      bodyOf(await catalog.import(before))
      const compared = bodyOf(await catalog.compare(after))
      await expect(told(compared)).toMatchFileSnapshot(join(fixture, 'report.json'))
      const imported = await catalog.import(after)
      if (compared.errors.length > 0) {
        expect(imported).toMatchObject({ status: 400, body: { errors: compared.errors } })
        expect(bodyOf(await catalog.compare(before)).items).toEqual([])
      } else {
        expect(told(bodyOf(imported))).toBe(told(compared))
        expect(bodyOf(await catalog.compare(after)).items).toEqual([])
      }
    })
  })
})
