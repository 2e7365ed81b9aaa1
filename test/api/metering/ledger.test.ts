import { beforeAll, expect, test } from 'vitest'
import { balanceContracts } from '../../../server/entitlements/balances/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)
  const { devices } = meters
  let license: Json
  const path = (metric: string) => `operational/entitlements/${license.entitlementId}/balances/${metric}/ledger`
  const list = async (query = ''): Promise<Json> => devices.get(`${path('credits')}${query}`)
  const amountsOf = async (query: string) => (await list(query)).items.map(({ amount }: Json) => amount)

  beforeAll(async () => {
    const overage = { creditsPerUnitOfConsumption: 0.5, baseCredits: 1, fundingBalanceMetric: 'credits' }
    license = await meters.newLicense({
      credits: { balanceUsage: { initialCreditAmount: 9 } },
      pages: { meteredUsage: { usageTiers: [tier(0, 2, 'None'), tier(2, 100, 'AllowWithOverage', overage)] } },
    })
    await meters.consume(license, 'pages', 3)
    await meters.consume(license, 'credits', 2.25)
    const body = { amount: 100, reference: 'Order 66' }
    await must(devices.at('POST', path('credits').replace('ledger', 'deposit'), { body }))
  })

  test('each movement is entered, the newest first, with what remained then', async () => {
    const { items, totalCount } = await list()
    expect(items.map(({ kind, amount, balanceAfter }: Json) => [kind, amount, balanceAfter])).toEqual([
      ['Deposit', 100, 105.25],
      ['Consumption', -2.25, 5.25],
      ['Consumption', -1.5, 7.5],
      ['Initial', 9, 9],
    ])
    expect(totalCount).toBe(4)
    expect(items[1].actor).toBe(`session:${license.session.id}`)
    expect(items[1].correlationId).toEqual(expect.any(String))
    expect((await meters.consumption(license, 'credits')).remaining).toBe(items[0].balanceAfter)
  })

  test('however many read it at once, each is answered', async () => {
    const read = await Promise.all(Array.from({ length: 40 }, () => list('?pageSize=0')))
    expect(read.map(({ totalCount }) => totalCount)).toEqual(read.map(() => 4))
  })

  test('it is filtered and sorted by each of its fields, amounts as numbers', async () => {
    const [newest] = (await list()).items
    for (const field of balanceContracts.ledger.filterable) {
      const filter = encodeURIComponent(`${field}==${newest[field]},id==${newest.id}`)
      expect([field, (await list(`?filter=${filter}&sortOrder=-${field}`)).items]).toEqual([field, [newest]])
    }
    expect(await amountsOf('?sortOrder=amount')).toEqual([-2.25, -1.5, 9, 100])
    expect(await amountsOf('?filter=amount>-2,amount<20&sortOrder=-balanceAfter')).toEqual([9, -1.5])
    expect(await amountsOf('?filter=amount==-15e-1')).toEqual([-1.5])
    expect(await amountsOf('?filter=kind==Consumption&pageSize=1&pageNumber=2')).toEqual([-1.5])
    expect(pointersOf(await devices.at('GET', `${path('credits')}?filter=tenantId!=null`))).toEqual([
      ...[400, 'license.validation_error', ['filter']],
    ])
  })
})
