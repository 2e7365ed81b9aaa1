import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { generatedCatalogs } from '../../support/generated-catalogs.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import {
  bodyOf,
  catalogOf,
  clearCatalog,
  comparable,
  dumpOf,
  makeGroups,
  portable,
  type ReportedItem,
} from './scene.ts'

/** On each of the two stores. */
const numRuns = 15

/** A field of each of these sections that any text may be written to. */
const editable = { products: 'description', featureCatalog: 'name', suites: 'description', addOns: 'description' }

forEachStore((store) => {
  describe('of any catalog', () => {
    const server = serveTests(store)
    const acme = catalogOf(server)
    const neighbour = catalogOf(server, 'neighbour')
    beforeAll(() => makeGroups(acme, neighbour))

    const holds = (property: (snapshot: Snapshot, other: Snapshot) => Promise<void>) =>
      fc.assert(
        fc.asyncProperty(generatedCatalogs(), generatedCatalogs(), property).beforeEach(async () => {
          await clearCatalog(server.databaseUrl, server.tenantIds.acme)
          await clearCatalog(server.databaseUrl, server.tenantIds.neighbour)
        }),
        { numRuns, interruptAfterTimeLimit: 100_000 },
      )

    test('importing does what comparing said, and comparing again finds nothing', { timeout: 120_000 }, () =>
      holds(async (snapshot) => {
        const before = await dumpOf(server.databaseUrl)
        const compared = bodyOf(await acme.compare(snapshot))
        expect(await dumpOf(server.databaseUrl)).toBe(before)
        const imported = bodyOf(await acme.import(snapshot))
        expect(comparable(imported)).toEqual(comparable(compared))
        const again = bodyOf(await acme.compare(snapshot))
        expect(again.items).toEqual([])
        expect(again.summary).toMatchObject({ create: 0, update: 0, onlyHere: 0, errors: 0 })
      }),
    )

    test('an export is a fixed point, here and in an empty tenant', { timeout: 120_000 }, () =>
      holds(async (snapshot) => {
        bodyOf(await acme.import(snapshot))
        const exported = await acme.export()
        expect(bodyOf(await acme.import(exported.text)).items).toEqual([])
        bodyOf(await neighbour.import(exported.text))
        expect(portable((await neighbour.export()).text)).toBe(portable(exported.text))
      }),
    )

    test('edited here and there, an import changes just that', { timeout: 120_000 }, () =>
      holds(async (snapshot, other) => {
        bodyOf(await acme.import(snapshot))
        const whole = bodyOf(await acme.export())
        const edited: string[] = []
        for (const [section, texts] of Object.entries(editable)) {
          whole[section] = whole[section].filter((_item: unknown, index: number) => index % 3 !== 1)
          whole[section].forEach((item: Record<string, unknown>, index: number) => {
            if (index % 2 !== 0 || item.isLocked) return
            item[texts] = `edited ${JSON.stringify(other).length}`
            edited.push(String(item[texts]))
          })
        }
        const compared = bodyOf(await acme.compare(whole))
        expect(compared.errors).toEqual([])
        expect(compared.items).toHaveLength(edited.length)
        for (const { action, changes } of compared.items as ReportedItem[]) {
          expect(action).toBe('update')
          expect(changes).toHaveLength(1)
          expect(Object.values(editable).map((field) => `/${field}`)).toContain(changes![0]!.path)
          expect(changes![0]!.after).toBe(edited[0])
        }
        expect(comparable(bodyOf(await acme.import(whole)))).toEqual(comparable(compared))
        expect(bodyOf(await acme.compare(whole)).items).toEqual([])
      }),
    )

    test('a second catalog over a first changes what it says and keeps the rest', { timeout: 120_000 }, () =>
      holds(async (first, second) => {
        bodyOf(await acme.import(first))
        const before = bodyOf(await acme.export())
        const compared = bodyOf(await acme.compare(second, { query: '?include=unchanged' }))
        const answer = await acme.import(second)
        if (compared.errors.length > 0) {
          expect(answer.status).toBe(400)
          expect(answer.body.codeName).toBe(compared.errors[0].codeName)
          expect(portable((await acme.export()).text)).toBe(portable(JSON.stringify(before)))
          return
        }
        const imported = bodyOf(answer)
        const moving = compared.items.filter(({ action }: ReportedItem) => action !== 'unchanged')
        expect(imported.items).toEqual(moving)
        expect(imported.onlyHere).toEqual(compared.onlyHere)
        expect(bodyOf(await acme.compare(second)).items).toEqual([])
        const after = bodyOf(await acme.export())
        const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0)
        const created = moving.filter(({ action }: ReportedItem) => action === 'create').length
        expect(total(after.counts)).toBe(total(before.counts) + created)
        expect(bodyOf(await acme.compare(before)).summary.create).toBe(0)
      }),
    )
  })
})
