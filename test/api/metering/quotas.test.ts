import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)
  const meters = metersOf(server, 'sandbox')
  const { devices } = meters
  const tiered = (usageTiers: object[], more: object = {}) => ({ meteredUsage: { usageTiers, ...more } })
  const credits = (initialCreditAmount: number, more: object = {}) => ({
    balanceUsage: { initialCreditAmount, ...more },
  })

  /** The level events of an entitlement's meter, in their order. */
  const levelsOf = async (entitlementId: string, metric: string) => {
    const rows = await beside.open.read
      .selectFrom('events')
      .select(['type', 'data'])
      .where('type', 'in', ['MeteredUsage.OverageStatusChanged', 'CreditBalance.StatusChanged'])
      .orderBy('id')
      .execute()
    return rows
      .map((row) => JSON.parse(row.data) as Json)
      .filter((data) => data.entitlementId === entitlementId && data.metricName === metric)
      .map(({ previousLevel, level }) => `${previousLevel} → ${level}`)
  }

  test('overage is charged to its balance to the last credit, and refused past it', async () => {
    const overage = { fundingBalanceMetric: 'credits', creditsPerUnitOfConsumption: 1, baseCredits: 2, name: 'Overage' }
    const license = await meters.newLicense({
      calls: tiered([tier(0, 10, 'None'), tier(10, null, 'AllowWithOverage', overage)]),
      credits: credits(12),
    })
    expect(await meters.consume(license, 'calls', 11)).toMatchObject({
      ...{ allowed: true, chargedCredits: 3, fundingBalanceMetric: 'credits', fundingBalanceRemaining: 9 },
      ...{ quotaUsagePolicy: 'AllowWithOverage', tier: 'Overage' },
    })
    const decisions = await Promise.all(times(20, () => meters.consume(license, 'calls', 1)))
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(9)
    expect(decisions.filter(({ reason }) => reason === 'insufficient_credits')).toHaveLength(11)
    expect(await meters.consumption(license, 'credits')).toMatchObject({
      ...{ totalCredits: 12, creditsUsed: 12, remaining: 0, unfundedCredits: 0, isUnlimitedCredits: false },
    })
    expect((await meters.consumption(license, 'credits')).lastUnfundedAt).not.toBeNull()
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 20 })
  })

  test('a balance tells its bands, and a Critical one blocks it', async () => {
    const license = await meters.newLicense({
      credits: credits(100, {
        usageQuota: [
          { endUsage: 50, name: 'Low', quotaUsageLevel: 'Warning' },
          { endUsage: 10, name: 'Out', quotaUsageLevel: 'Critical' },
        ],
      }),
    })
    expect(await meters.consume(license, 'credits', 60)).toMatchObject({
      allowed: true,
      quotaUsageLevel: 'Warning',
      remaining: 40,
    })
    expect(await meters.consume(license, 'credits', 41)).toMatchObject({
      allowed: false,
      reason: 'insufficient_credits',
    })
    expect(await meters.consume(license, 'credits', 35)).toMatchObject({ allowed: true, tier: 'Out' })
    expect(await meters.consume(license, 'credits', 1)).toMatchObject({
      allowed: false,
      reason: 'balance_blocked',
      remaining: 5,
    })
    expect(await meters.consumption(license, 'credits')).toMatchObject({
      overageSeverityStatus: 'Critical',
      band: 'Out',
    })
    expect(await levelsOf(license.entitlementId, 'credits')).toEqual(['None → Warning', 'Warning → Critical'])
  })

  test('a balance that is used up tells it, in a band or in none, and again once it was filled', async () => {
    const usageQuota = [{ endUsage: 50, name: 'Low', quotaUsageLevel: 'Warning' }]
    const license = await meters.newLicense({ plain: credits(100), banded: credits(100, { usageQuota }) })
    for (const metric of ['plain', 'banded']) {
      await meters.consume(license, metric, 60)
      await meters.consume(license, metric, 40)
      await meters.consume(license, metric, 1)
      for (const deed of ['deposit', 'deduct'])
        await devices.post(`operational/entitlements/${license.entitlementId}/balances/${metric}/${deed}`, {
          amount: 10,
        })
    }
    expect(await levelsOf(license.entitlementId, 'plain')).toEqual(['None → None', 'None → None'])
    const banded = ['None → Warning', 'Warning → Warning', 'Warning → Warning']
    expect(await levelsOf(license.entitlementId, 'banded')).toEqual(banded)
  })

  test('each crossing is told once however many cross at once, and the next period begins anew', async () => {
    const level = (quotaUsageLevel: string) => ({ quotaUsageLevel })
    const license = await meters.newLicense({
      calls: tiered([
        tier(0, 10, 'None', level('Normal')),
        tier(10, 20, 'NotifyOnly', level('Warning')),
        tier(20, 30, 'NotifyOnly', level('Critical')),
        tier(30, null, 'SuspendUsage', level('OverUsage')),
      ]),
    })
    await Promise.all(times(30, () => meters.consume(license, 'calls', 1)))
    expect(await meters.preallocate(license, 'calls')).toMatchObject({ allowed: false, reason: 'suspended' })
    expect(await meters.usage(license, 'calls')).toMatchObject({ suspendedUntilAt: null })
    const refused = await meters.consume(license, 'calls', 1)
    expect(refused).toMatchObject({ reason: 'suspended', usage: 30, limit: 30, remaining: 0 })
    const { suspendedUntilAt, periodEnd } = await meters.usage(license, 'calls')
    expect(suspendedUntilAt).toBe(periodEnd)
    expect(await levelsOf(license.entitlementId, 'calls')).toEqual([
      ...['Normal → Warning', 'Warning → Critical', 'Critical → OverUsage'],
    ])
    await devices.advance({ to: periodEnd })
    expect((await levelsOf(license.entitlementId, 'calls')).at(-1)).toBe('OverUsage → Normal')
    expect(await meters.consume(license, 'calls', 5)).toMatchObject({ allowed: true, usage: 5, periodStart: periodEnd })
  })

  test('grace allows for three days, a rate limit once a minute', async () => {
    const license = await meters.newLicense({
      grace: tiered([tier(0, 1, 'None'), tier(1, null, 'AllowWithGrace')], { consumptionPeriod: 'Yearly' }),
      rate: tiered([tier(0, null, 'RateLimit')]),
    })
    expect(await meters.consume(license, 'rate', 1)).toMatchObject({ allowed: true })
    expect(await meters.consume(license, 'rate', 1)).toMatchObject({
      reason: 'rate_limited',
      retryAfterSeconds: expect.any(Number),
    })
    await meters.consume(license, 'grace', 2)
    await devices.advance('PT60S')
    expect(await meters.consume(license, 'rate', 1)).toMatchObject({ allowed: true })
    await devices.advance('P2D')
    expect(await meters.consume(license, 'grace', 1)).toMatchObject({ allowed: true, usage: 3 })
    await devices.advance('P1D')
    expect(await meters.consume(license, 'grace', 1)).toMatchObject({ reason: 'denied', usage: 3 })
  })

  test('what is held is nobody else’s until it is settled, released or lapses', async () => {
    const license = await meters.newLicense({ calls: tiered([tier(0, 10, 'None')]) })
    const held = (await meters.hold(license, 'calls', { amount: 6, idempotentKey: 'job' })).body
    expect(held).toMatchObject({ allowed: true, usage: 0, remaining: 4, holdId: expect.any(String) })
    expect((await meters.hold(license, 'calls', { amount: 6, idempotentKey: 'job' })).body).toEqual({
      ...held,
      replayed: true,
    })
    expect(await meters.consume(license, 'calls', 5)).toMatchObject({ allowed: false, reason: 'denied' })
    expect((await meters.settle(license, held.holdId, 11)).body).toMatchObject({ allowed: false, remaining: 4 })
    const settled = (await meters.settle(license, held.holdId, 4)).body
    expect(settled).toMatchObject({ allowed: true, usage: 4, remaining: 6 })
    expect((await meters.settle(license, held.holdId, 4)).body).toEqual({ ...settled, replayed: true })
    expect((await meters.settle(license, held.holdId, 5)).body.codeName).toBe('request.idempotency_conflict')
    expect((await meters.release(license, held.holdId)).body.codeName).toBe('usage.hold_not_open')
    const second = (await meters.hold(license, 'calls', { amount: 6, expiresIn: 'PT1M' })).body
    expect(await meters.usage(license, 'calls')).toMatchObject({ remaining: 0 })
    await devices.advance('PT1M')
    expect(await meters.usage(license, 'calls')).toMatchObject({ remaining: 6 })
    expect((await meters.settle(license, second.holdId, 1)).body.codeName).toBe('usage.hold_not_open')
    const third = (await meters.hold(license, 'calls', { amount: 1 })).body
    const released = await meters.release(license, third.holdId)
    expect(released.body).toMatchObject({ holdId: third.holdId, released: true })
    expect((await meters.release(license, third.holdId)).body).toEqual(released.body)
  })

  test('who may not settle more is told to try again only while the hold is there', async () => {
    const license = await meters.newLicense({ calls: tiered([tier(0, null, 'RateLimit')]) })
    const refusedOf = async (expiresIn: string) => {
      const { holdId } = (await meters.hold(license, 'calls', { amount: 1, expiresIn })).body
      const { reason, retryAfterSeconds } = (await meters.settle(license, holdId, 2)).body
      await devices.advance('PT1M')
      return { reason, isTold: retryAfterSeconds !== null }
    }
    expect(await refusedOf('PT5M')).toEqual({ reason: 'rate_limited', isTold: true })
    expect(await refusedOf('PT50S')).toEqual({ reason: 'rate_limited', isTold: false })
  })

  test('a plan that is applied mid-period keeps what was consumed, and lifts a suspension', async () => {
    const entitlement = await meters.newEntitlement({
      calls: tiered([tier(0, 10, 'None'), tier(10, null, 'SuspendUsage', { quotaUsageLevel: 'OverUsage' })]),
      credits: credits(5),
    })
    const [{ id: productId }] = entitlement.products
    const license = await meters.newSession(entitlement.id)
    await meters.consume(license, 'calls', 10)
    await meters.consume(license, 'credits', 4)
    expect(await meters.consume(license, 'calls', 1)).toMatchObject({ reason: 'suspended' })
    const planSet = await meters.admin('usage-plans/plan-sets', {
      productId,
      name: 'Plans',
      plans: [
        {
          name: 'Pro',
          lineItems: [
            {
              productId,
              featureValues: [
                { featureCode: 'CALLS', value: '100' },
                { featureCode: 'CREDITS', value: '50' },
              ],
            },
          ],
        },
      ],
    })
    await meters.admin(`usage-plans/plan-sets/${planSet.id}/publish`)
    await meters.admin(`entitlements/${entitlement.id}/apply-plan`, { planSetId: planSet.id, planName: 'Pro' })
    expect(await meters.consume(license, 'calls', 5)).toMatchObject({
      allowed: true,
      usage: 15,
      limit: 100,
      remaining: 85,
    })
    expect(await meters.consumption(license, 'credits')).toMatchObject({
      totalCredits: 50,
      creditsUsed: 4,
      remaining: 46,
    })
    expect(await levelsOf(entitlement.id, 'calls')).toEqual(['None → OverUsage', 'OverUsage → None'])
  })

  test('a value of a plan limits to its last digit', async () => {
    const value = '123456789012.123456789'
    const entitlement = await meters.newEntitlement({ calls: tiered([tier(0, 10, 'None')]) })
    const [{ id: productId }] = entitlement.products
    const license = await meters.newSession(entitlement.id)
    const lineItems = [{ productId, featureValues: [{ featureCode: 'CALLS', value }] }]
    const planSet = await meters.admin('usage-plans/plan-sets', {
      ...{ productId, name: 'Plans', plans: [{ name: 'Pro', lineItems }] },
    })
    await meters.admin(`usage-plans/plan-sets/${planSet.id}/publish`)
    await meters.admin(`entitlements/${entitlement.id}/apply-plan`, { planSetId: planSet.id, planName: 'Pro' })
    expect(await meters.consume(license, 'calls', '123456789012.12345679')).toMatchObject({ allowed: false })
    expect(await meters.consume(license, 'calls', value)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await meters.consume(license, 'calls', '0.000000001')).toMatchObject({ allowed: false })
  })

  test('a value below zero leaves as little as zero does, be it by an add-on', async () => {
    const entitlement = await meters.newEntitlement({ calls: {} })
    const [{ id: productId, productCode }] = entitlement.products
    const license = await meters.newSession(entitlement.id)
    const usageTiers = [{ startPercentage: 0, endPercentage: 80 }]
    const plans = [
      ['Owing', { value: '-5' }],
      ['Part', { value: '-5', enforcementType: 'TieredPercentage', usageTiers }],
      ['Pro', { value: '100' }],
    ].map(([name, said]) => ({
      name,
      lineItems: [{ productId, featureValues: [{ featureCode: 'CALLS', ...(said as object) }] }],
    }))
    const planSet = await meters.admin('usage-plans/plan-sets', { productId, name: 'Plans', plans })
    const limitOf = async (planName: string) => {
      await meters.admin(`entitlements/${entitlement.id}/apply-plan`, { planSetId: planSet.id, planName })
      expect(await meters.consume(license, 'calls', 1)).toMatchObject({ allowed: false, limit: 0 })
      const { limit, remaining, tiers } = await meters.usage(license, 'calls')
      return { limit, remaining, ends: tiers.map(({ endUsage }: Json) => endUsage) }
    }
    const none = { limit: 0, remaining: 0, ends: [0] }
    expect(await limitOf('Owing')).toEqual(none)
    expect(await limitOf('Part')).toEqual(none)
    const less = await meters.admin('add-ons', {
      ...{ suiteId: planSet.suiteId, code: `LESS-${productCode}`, name: 'Less' },
      featureValues: [{ featureCode: 'CALLS', operation: 'Add', value: '-150' }],
    })
    await meters.admin(`add-ons/${less.id}/publish`)
    await meters.admin(`entitlements/${entitlement.id}/add-ons/${less.id}`)
    expect(await limitOf('Pro')).toEqual(none)
  })
})
