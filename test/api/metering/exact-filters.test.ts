import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { metersOf } from './metered-sales.ts'

/** In their order; no two of a pair are two doubles. */
const amounts = [
  ...['0.000000000000000001', '0.000000000000000002', '0.3', '0.30000000000000001', '7', '10'],
  ...['9007199254740992', '9007199254740993', '999999999999999999'],
]

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)

  test('amounts are filtered and sorted by all of their digits', async () => {
    const { id } = await meters.newEntitlement({ credits: { balanceUsage: {} } })
    for (const amount of [...amounts.slice(4), ...amounts.slice(0, 4)])
      await meters.devices.post(`operational/entitlements/${id}/balances/credits/deposit`, { amount })
    for (const amount of ['1', '10', '0.5', '0.25'])
      await meters.devices.post(`operational/entitlements/${id}/balances/credits/deduct`, { amount })
    const found = async (query: string) => {
      const where = `operational/entitlements/${id}/balances/credits/ledger?pageSize=50&sortOrder=amount&filter=`
      const { text } = await meters.devices.at('GET', where + encodeURIComponent(query))
      return [...text.matchAll(/"amount":([^,]+),/g)].map(([, amount]) => amount)
    }
    const deductions = ['-10', '-1', '-0.5', '-0.25']
    expect(await found('')).toEqual([...deductions, ...amounts].map((text) => expect.stringMatching(sameNumber(text))))
    for (const [index, amount] of amounts.entries()) {
      expect((await found(`amount==${amount}`)).length).toBe(1)
      expect((await found(`amount>${amount}`)).length).toBe(amounts.length - 1 - index)
      expect((await found(`amount<=${amount},amount>0`)).length).toBe(index + 1)
    }
    expect(await found('amount<-0.25')).toEqual(deductions.slice(0, 3))
    expect(await found('amount>=-1,amount<0')).toEqual(deductions.slice(1))
    expect(await found('amount==1e1|07.0')).toEqual(['7', '10'])
  })
})

/** JSON may write a small number with an exponent. */
const sameNumber = (text: string) =>
  text === '0.000000000000000001'
    ? /^(1e-18|0\.0{17}1)$/
    : text === '0.000000000000000002'
      ? /^(2e-18|0\.0{17}2)$/
      : new RegExp(`^${text.replace('.', '\\.')}$`)
