import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)
  const { devices } = meters

  const move = (
    id: string,
    deed: string,
    body: object | string,
    metric = 'credits',
    headers: Record<string, string> = {},
  ) => devices.at('POST', `operational/entitlements/${id}/balances/${metric}/${deed}`, { body, headers })
  const deposit = (id: string, amount: number): Promise<Json> => must(move(id, 'deposit', { amount }))
  const newBalance = async (balanceUsage: object = {}): Promise<string> =>
    (await meters.newEntitlement({ credits: { balanceUsage: { initialCreditAmount: 50, ...balanceUsage } } })).id
  const usageOf = async (id: string, query = ''): Promise<Json[]> =>
    (await devices.get(`operational/entitlements/${id}/usage${query}`)).meters
  const creditsOf = async (id: string): Promise<Json> => (await usageOf(id))[0].consumption
  const ledgerOf = async (id: string): Promise<Json> =>
    devices.get(`operational/entitlements/${id}/balances/credits/ledger?pageSize=100`)

  test('credits are deposited and deducted, and the answer is how the balance stands with its entry in the ledger', async () => {
    const id = await newBalance()
    const deducted = await must(move(id, 'deduct', { amount: 20.5, reference: 'refund 7' }))
    const { entryId, ...after } = deducted
    expect(after).toEqual({
      ...{ metric: 'credits', unit: null, isUnlimitedCredits: false, totalCredits: 50, creditsUsed: 20.5 },
      ...{ remaining: 29.5, cumulativeCreditsUsed: 20.5, unfundedCredits: 0, lastUnfundedAt: null },
      ...{ overageSeverityStatus: 'None', band: null, suspendedUntilAt: null, lastDeposit: null },
    })
    const deposited = await deposit(id, 10)
    expect(deposited).toMatchObject({
      totalCredits: 39.5,
      creditsUsed: 0,
      remaining: 39.5,
      cumulativeCreditsUsed: 20.5,
    })
    expect(deposited.lastDeposit).toEqual(expect.any(String))
    const { items } = await ledgerOf(id)
    expect(items.map(({ id, kind }: Json) => [id, kind])).toEqual([
      [deposited.entryId, 'Deposit'],
      [entryId, 'Deduction'],
      [expect.any(String), 'Initial'],
    ])
    expect(items[1]).toMatchObject({ amount: -20.5, balanceAfter: 29.5, reference: 'refund 7' })
    expect(items[1].actor).toBe(`client:${server.clients.acme.clientId}`)
  })

  test('credits are read in the unit of the metric, or else in that of the balance', async () => {
    const balanceUsage = { initialCreditAmount: 50, unit: 'render credits' }
    const { id } = await meters.newEntitlement({ credits: { balanceUsage }, points: { unit: 'points', balanceUsage } })
    const unitsOf = ({ usage, consumption }: Json) => [usage.unit, consumption.unit]
    expect((await usageOf(id)).map(unitsOf)).toEqual([
      ['render credits', 'render credits'],
      ['points', 'points'],
    ])
  })

  test('what a balance cannot pay whole, or a Critical band blocks, is not deducted and leaves no trace', async () => {
    const id = await newBalance({ usageQuota: [{ endUsage: 10, name: 'Low', quotaUsageLevel: 'Critical' }] })
    const before = await creditsOf(id)
    expect(problemOf(await move(id, 'deduct', { amount: 50.1 }))).toEqual([409, 'usage.insufficient_credits'])
    expect(await creditsOf(id)).toEqual(before)
    await must(move(id, 'deduct', { amount: 41 }))
    expect(problemOf(await move(id, 'deduct', { amount: 1 }))).toEqual([409, 'usage.balance_blocked'])
    expect(await creditsOf(id)).toMatchObject({ remaining: 9, band: 'Low', unfundedCredits: 0, lastUnfundedAt: null })
    expect((await deposit(id, 1)).band).toBe(null)
    await must(move(id, 'deduct', { amount: 10 }))
    expect((await ledgerOf(id)).totalCount).toBe(4)
  })

  test('an Idempotency-Key moves credits once, and its replay has every digit', async () => {
    const id = await newBalance()
    const key = { 'idempotency-key': `top-up ${nextNumber()}` }
    const body = '{"amount":9007199254740993.000000001}'
    const first = await move(id, 'deposit', body, 'credits', key)
    expect(first.text).toContain('"remaining":9007199254741043.000000001')
    const again = await move(id, 'deposit', body, 'credits', key)
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
    const other = await move(id, 'deposit', { amount: 2 }, 'credits', key)
    expect(problemOf(other)).toEqual([409, 'request.idempotency_conflict'])
    expect((await ledgerOf(id)).totalCount).toBe(2)
  })

  test('an amount is above zero, below 1e18 and of at most 18 decimals', async () => {
    const id = await newBalance()
    for (const amount of [0, -1, '1e18', '0.0000000000000000001', '', 'ten', null, '0x10', ' 1'])
      expect([amount, ...pointersOf(await move(id, 'deposit', { amount }))]).toEqual([
        ...[amount, 400, 'license.validation_error', ['/amount']],
      ])
    expect((await ledgerOf(id)).totalCount).toBe(1)
    await must(move(id, 'deposit', { amount: '0.1' }))
  })

  test('only a balance of an entitlement of the tenant is moved and read, by whoever may', async () => {
    const { id } = await meters.newEntitlement({ credits: { balanceUsage: {} }, pages: { meteredUsage: {} } })
    const entitlements = '/api/v1/provision/operational/entitlements'
    const asked = [
      ['POST', '/balances/METRIC/deposit'],
      ['POST', '/balances/METRIC/deduct'],
      ['GET', '/balances/METRIC/ledger'],
    ] as const
    const ask = (method: string, where: string, more: object = {}) =>
      server.api(method, `${entitlements}/${where}`, { ...(method === 'POST' && { body: { amount: 1 } }), ...more })
    for (const [method, path] of asked) {
      for (const metric of ['pages', 'CREDITS', '__proto__', '%F0%9F%92%B3'])
        expect(problemOf(await ask(method, `${id}${path.replace('METRIC', metric)}`))).toEqual([
          ...[404, 'usage.metric_not_found'],
        ])
      const where = path.replace('METRIC', 'credits')
      for (const answer of [
        await ask(method, `${id}${where}`, { tenant: 'neighbour' }),
        await ask(method, noSuchId + where),
      ])
        expect(problemOf(answer)).toEqual([404, 'license.record_not_found'])
      const token = await server.tokenWith(['admin.*:*', 'operational.entitlements:create'])
      expect(problemOf(await ask(method, `${id}${where}`, { token }))).toEqual([403, 'auth.insufficient_scope'])
    }
    expect(problemOf(await ask('GET', `${id}/usage`, { tenant: 'neighbour' }))).toEqual([
      404,
      'license.record_not_found',
    ])
  })

  test('support reads what each meter has used and has left, as the application does, and so do monitored assets', async () => {
    const license = await meters.newLicense({
      credits: { balanceUsage: { initialCreditAmount: 5, usageQuota: [{ endUsage: 4, quotaUsageLevel: 'Warning' }] } },
      pages: {
        meteredUsage: { usageTiers: [tier(0, 2, 'None', { quotaUsageLevel: 'Normal' }), tier(2, 9, 'SuspendUsage')] },
      },
    })
    await meters.consume(license, 'credits', 1.5)
    await meters.consume(license, 'pages', 1)
    expect((await meters.consume(license, 'pages', 4)).reason).toBe('suspended')
    const found = await usageOf(license.entitlementId)
    expect(found.map(({ kind, usage }) => [kind, usage.metric])).toEqual([
      ['Balance', 'credits'],
      ['Metered', 'pages'],
    ])
    for (const one of found) {
      expect(one.usage).toEqual(await meters.usage(license, one.usage.metric))
      expect(one.consumption).toEqual(await meters.consumption(license, one.usage.metric))
      expect(await usageOf(license.entitlementId, `?metric=${one.usage.metric}`)).toEqual([one])
    }
    const [credits, pages] = await Promise.all(found.map(({ id }) => devices.get(`admin/monitored-assets/${id}`)))
    expect(credits.balanceUsage).toMatchObject({
      ...{ creditsUsed: 1.5, totalCredits: 5, cumulativeCreditsUsed: 1.5, unfundedCredits: 0, lastUnfundedAt: null },
      ...{ lastDeposit: null, overageSeverityStatus: 'Warning', lastAutoBalanceDate: null, suspendedUntilAt: null },
    })
    expect(pages.meteredUsage).toMatchObject({
      lastReportedOverageSeverityStatus: 'Normal',
      suspendedUntilAt: found[1].usage.suspendedUntilAt,
    })
    expect(pages.meteredUsage.suspendedUntilAt).not.toBe(null)
  })

  test('credits beyond every double are told digit by digit, and the balance goes on', async () => {
    const price = { creditsPerUnitOfConsumption: '1e300', fundingBalanceMetric: 'credits' }
    const license = await meters.newLicense({
      credits: { balanceUsage: { initialCreditAmount: 1 } },
      pages: { meteredUsage: { usageTiers: [tier(0, null, 'AllowWithOverage', price)] } },
    })
    const record = {
      ...{ transactionId: 1, creationDateTime: new Date().toISOString(), eventName: 'UsageReported' },
      eventData: JSON.stringify({ metricName: 'pages', amount: '999999999999' }),
    }
    const path = `usage/sessions/${license.session.id}/transactions`
    expect(await must(devices.at('POST', path, { body: [record], token: license.token }))).toMatchObject({
      processed: 1,
    })
    const { text } = await devices.at('GET', `operational/entitlements/${license.entitlementId}/usage`)
    // One credit was there.
    expect(text).toContain(`"unfundedCredits":${999_999_999_999n * 10n ** 300n - 1n},`)
    expect(await deposit(license.entitlementId, 5)).toHaveProperty('remaining')
    await must(server.api('GET', '/api/v1/provision/admin/reports/usage'))
  })

  test('the ledger sums to the balance whatever is deposited, deducted and consumed at once', async () => {
    const license = await meters.newLicense({ credits: { balanceUsage: { initialCreditAmount: 3 } } })
    const id = license.entitlementId
    const deeds = Array.from({ length: 60 }, (_, index) => {
      if (index % 3 === 0) return move(id, 'deposit', { amount: 0.7 })
      return index % 3 === 1 ? move(id, 'deduct', { amount: 1.1 }) : meters.tryConsume(license, 'credits', 0.3)
    })
    const answers = await Promise.all(deeds)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const done = (remainder: number) =>
      answers.filter(({ status, body }, index) => index % 3 === remainder && status === 200 && body.allowed !== false)
        .length
    const { items } = await ledgerOf(id)
    const tenths = items.reduce((sum: number, { amount }: Json) => sum + Math.round(amount * 10), 0)
    expect(tenths).toBe(30 + done(0) * 7 - done(1) * 11 - done(2) * 3)
    expect(items[0].balanceAfter * 10).toBeCloseTo(tenths)
    expect((await creditsOf(id)).remaining).toBe(items[0].balanceAfter)
    expect(items.every(({ balanceAfter }: Json) => balanceAfter >= 0)).toBe(true)
    expect(items).toHaveLength(1 + done(0) + done(1) + done(2))
  })
})
