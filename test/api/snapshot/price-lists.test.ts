import { describe, expect, test } from 'vitest'
import { joinPriceLists } from '../../../cli/tasks/convert/joining.ts'
import { hasRealPriceLists, priceListsByService } from '../../support/price-lists.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, portable } from './scene.ts'

const which = hasRealPriceLists ? 'the real price lists' : 'an invented price list (../shared/pricings is absent)'

forEachStore((store) => {
  describe(`importing ${which}, year after year`, () => {
    const server = serveTests(store)
    const acme = catalogOf(server)
    const neighbour = catalogOf(server, 'neighbour')

    test.each(priceListsByService)(
      'every year of $service is imported, and then there is nothing to do',
      async ({ files }) => {
        for (const file of files) {
          const { snapshot } = joinPriceLists([file])
          const { summary } = bodyOf(await acme.import(snapshot))
          expect.soft(summary.errors, file.name).toBe(0)
          const again = bodyOf(await acme.compare(snapshot))
          expect.soft(again.items, file.name).toEqual([])
        }
      },
    )

    test('the export of them all is a fixed point, here and in another tenant', async () => {
      const answer = await acme.export()
      const exported = bodyOf(answer)
      expect(bodyOf(await acme.compare(exported)).summary).toMatchObject({
        create: 0,
        update: 0,
        onlyHere: 0,
        errors: 0,
      })
      expect(bodyOf(await neighbour.import(exported)).summary).toMatchObject({ update: 0, errors: 0 })
      expect(portable((await neighbour.export()).text)).toBe(portable(answer.text))
    })
  })
})
