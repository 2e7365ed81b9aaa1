import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { selectFromSnapshot } from '../../../cli/selection/selecting.ts'
import type { CatalogReport } from '../../../cli/tasks/catalog-report.ts'
import { compareSnapshots } from '../../../cli/tasks/compare-files.ts'
import { checked } from '../../support/applied-plan.ts'
import { editCatalog } from '../../support/catalog-edits.ts'
import { generatedCatalogs } from '../../support/generated-catalogs.ts'
import { partOf } from '../../support/part-of-catalog.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, clearCatalog, makeGroups } from './scene.ts'

const numRuns = Number(process.env.LICET_PROPERTY_RUNS ?? 30)
const numbers = fc.array(fc.nat(1000), { minLength: 7, maxLength: 40 })

/** A catalog that shares nothing, something or much with another, sound or not. */
const wantedBeside = (one: Snapshot, other: Snapshot, by: readonly number[]): Snapshot => {
  const edited = (canRemove: boolean) => editCatalog(checked(one), checked(other), by[0]!, canRemove)
  const ways = [
    () => other,
    () => partOf(other, by),
    () => partOf(one, by),
    () => edited(true),
    () => partOf(edited(false), by),
    () => ({ ...one, ...partOf(other, by) }),
  ]
  return checked(ways[by[1]! % ways.length]!())
}

/** What a report says, beside what only a server knows. */
const saidIn = ({ summary, items, onlyHere, errors, warnings }: CatalogReport) => ({
  summary,
  items: items.map(({ kind, key, action, changes }) => ({ kind, key, action, changes })),
  onlyHere,
  errors,
  warnings,
})

forEachStore((store) => {
  describe('for any two catalogs', () => {
    const server = serveTests(store)
    const acme = catalogOf(server)
    beforeAll(() => makeGroups(acme))

    test('files compared without a server say what the server says', { timeout: 120_000 }, async () => {
      let changing = 0
      await fc.assert(
        fc.asyncProperty(generatedCatalogs(), generatedCatalogs(), numbers, async (one, other, by) => {
          await clearCatalog(server.databaseUrl, server.tenantIds.acme)
          bodyOf(await acme.import(one))
          const wanted = wantedBeside(one, other, by)
          const held = checked(bodyOf(await acme.export()))
          const said = bodyOf(await acme.compare(wanted))
          for (const before of [checked(one), held])
            expect(JSON.parse(JSON.stringify(saidIn(compareSnapshots(before, wanted))))).toEqual(
              JSON.parse(JSON.stringify(saidIn(said))),
            )
          const keys: string[] = said.items.map(({ key }: { key: string }) => key)
          if (keys.length === 0) return
          changing++
          const only = [keys[by[2]! % keys.length]!]
          expect(selected(checked(one), wanted, only)).toEqual(selected(held, wanted, only))
        }),
        { numRuns, interruptAfterTimeLimit: 100_000 },
      )
      expect(changing).toBeGreaterThan(0)
    })
  })
})

function selected(held: Snapshot, wanted: Snapshot, only: string[]): unknown {
  try {
    return selectFromSnapshot(held, wanted, { only, exclude: [] }).snapshot
  } catch (error) {
    return String(error)
  }
}
