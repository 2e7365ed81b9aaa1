import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { problemOf } from '../catalog/catalog-collection.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const allowedOf = (decisions: readonly Json[]) => decisions.filter(({ allowed }) => allowed).length

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)
  const hundred = {
    meteredUsage: {
      usageTiers: [tier(0, 100, 'None', { name: 'Included' }), tier(100, null, 'Deny', { name: 'Over' })],
    },
  }

  test('consumption is decided, counted and read with exact figures', async () => {
    const license = await meters.newLicense({ calls: { unit: 'calls', ...hundred } })
    const decision = await meters.consume(license, 'calls', '0.1', 'first')
    expect(decision).toMatchObject({
      ...{ allowed: true, reason: null, metric: 'calls', amount: 0.1, usage: 0.1, limit: 100, remaining: 99.9 },
      ...{ quotaUsageLevel: 'None', quotaUsagePolicy: 'None', tier: 'Included', chargedCredits: 0 },
      ...{ fundingBalanceMetric: null, retryAfterSeconds: null, idempotentKey: 'first', replayed: false },
    })
    for (let call = 0; call < 9; call++) await meters.consume(license, 'calls', 0.1)
    expect(await meters.usage(license, 'calls')).toMatchObject({
      metric: 'calls',
      unit: 'calls',
      usage: 1,
      remaining: 99,
    })
    expect(await meters.consumption(license, 'calls')).toMatchObject({ usage: 1, limit: 100, remaining: 99 })
    expect(await meters.consume(license, 'calls', 99.5)).toMatchObject({ allowed: false, reason: 'denied', usage: 1 })
  })

  test('of 500 consumers at once, 100 get the 100 units', async () => {
    const license = await meters.newLicense({ calls: hundred })
    const decisions = await Promise.all(times(500, () => meters.consume(license, 'calls', 1)))
    expect(allowedOf(decisions)).toBe(100)
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 100, remaining: 0 })
  })

  test('50 calls with one key are one consumption and one decision', async () => {
    const license = await meters.newLicense({ calls: hundred })
    const decisions = await Promise.all(times(50, () => meters.consume(license, 'calls', 2, 'same')))
    expect(new Set(decisions.map(({ replayed: _, ...decision }) => JSON.stringify(decision))).size).toBe(1)
    expect(decisions.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 2 })
  })

  test('a key that was used for something else is refused, and consumes nothing', async () => {
    const entitlement = await meters.newEntitlement({ calls: hundred, other: hundred })
    const license = await meters.newSession(entitlement.id)
    const second = await meters.newSession(entitlement.id)
    await meters.consume(license, 'calls', 2, 'taken')
    expect(await meters.consume(license, 'calls', '2.0', 'taken')).toMatchObject({
      allowed: true,
      replayed: true,
      usage: 2,
    })
    for (const [whose, metric, amount] of [
      [license, 'calls', 3],
      [license, 'other', 2],
      [second, 'calls', 2],
    ] as const)
      expect(problemOf(await meters.tryConsume(whose, metric, amount, 'taken'))).toEqual([
        409,
        'request.idempotency_conflict',
      ])
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 2 })
  })
})
