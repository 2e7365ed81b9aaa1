import { describe, expect, test } from 'vitest'
import { licet } from '../support/licet-binary.ts'

const explain = (...args: string[]) => licet(['catalog', 'explain', ...args])

describe('licet catalog explain', () => {
  test('lists the kinds with what each is', async () => {
    const { stdout, exitCode } = await explain()
    expect(exitCode).toBe(0)
    for (const kind of ['tag', 'product', 'feature', 'metric', 'suite', 'plan-set', 'add-on', 'offer'])
      expect(stdout).toMatch(new RegExp(`^  ${kind} +[A-Z]`, 'm'))
  })

  test('says of a field what it means, its shape, its default and an example', async () => {
    const { stdout } = await explain('offer.licensePolicy.inactivityTimeout')
    expect(stdout).toMatch(/How long without use frees a seat/)
    expect(stdout).toMatch(/Shape +ISO 8601 duration of a second or longer\n/)
    expect(stdout).toMatch(/Default +PT1H\n/)
    const price = (await explain('plan-set.plans.monthlyPrice', '--json')).json()
    expect(price).toMatchObject({ name: 'plan-set.plans.monthlyPrice', kind: 'planSet', examples: [49] })
    expect(price.description).toMatch(/null is not priced yet/)
  })

  test('leads through lists, objects and maps, by the names of snapshots too', async () => {
    for (const name of [
      'product.features.value',
      'plans.plans.lineItems.featureValues.value',
      'product.propertyValues.key',
    ])
      expect((await explain(name)).exitCode, name).toBe(0)
    const { stdout } = await explain('product.features')
    expect(stdout).toMatch(/featureCode \*/)
    expect(stdout).toMatch(/enumOptions\.…/)
  })

  test('answers an unknown name with the nearest ones, exit 64', async () => {
    const cases = {
      prodct: 'product',
      plan: 'plan-set.plans',
      monthlyPrice: 'plan-set.plans.monthlyPrice',
      'plan-set.plans.montlyPrice': 'plan-set.plans.monthlyPrice',
      'product.feature.value': 'product.features',
      'feature.xyzzy': 'licet catalog explain feature',
      '': 'a value, or no such argument',
      'product.': 'licet catalog explain product',
      'constructor.prototype': 'one of tag',
      'product.__proto__': 'licet catalog explain product',
    }
    for (const [name, nearest] of Object.entries(cases)) {
      const { stderr, stdout, exitCode } = await explain(name)
      expect(exitCode, name).toBe(64)
      expect(stdout, name).toBe('')
      expect(stderr, name).toContain(`Try: ${nearest}`)
    }
    expect((await explain('prodct', '--json')).json().error.codeName).toBe('cli.usage')
  })
})
