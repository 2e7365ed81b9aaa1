import { afterEach, expect, test, vi } from 'vitest'
import { testStore } from '../support/stores.ts'
import { contracts } from './contracts.ts'
import { runApart, stepKinds } from './run.ts'

/**
 * SQLite and PostgreSQL answer alike, one asked by REST and the other by tRPC, whatever is asked in whatever order: steps drawn by a
 * seed, each asked of both and compared whole. Usually a few; more of them, from a seed on, in worlds of at most a thousand steps each:
 *
 *     LICET_DIFFERENTIAL_STEPS=20000 LICET_DIFFERENTIAL_SEED=7 npx vitest run test/differential
 */
const { LICET_DIFFERENTIAL_STEPS: steps, LICET_DIFFERENTIAL_SEED: first = '1' } = process.env
const most = 1000

const runs = steps
  ? Array.from({ length: Math.ceil(Number(steps) / most) }, (_, index) => ({
      seed: Number(first) + index,
      count: Math.min(most, Number(steps) - index * most),
    }))
  : [1, 2].map((seed) => ({ seed, count: 40 }))

const stores = { sqlite: testStore('sqlite'), postgres: testStore('postgres') }
afterEach(() => void vi.restoreAllMocks())

test.each(runs)('both stores and both ways to ask answer alike: seed $seed', { timeout: 600_000 }, ({ seed, count }) =>
  runApart(seed, count, stores),
)

/** Operations that no step is of, and why. */
const undrawn: Record<string, string> = {
  'webhooks.subscriptions.testFire': 'nothing is sent, for when it arrives no step decides',
  'webhooks.subscriptions.verify': 'it asks an address, and tells what that answered',
  'webhooks.integrations.verify': 'it asks an address, and tells what that answered',
  'webhooks.deliveries.get': 'there is none',
  'webhooks.deliveries.requeue': 'there is none',
  'webhooks.deliveries.requeueSince': 'there is none',
}

test('every operation is drawn, or it is said why not', () => {
  const drawn = new Set(stepKinds.map(({ operation }) => operation))
  expect([...contracts.keys()].filter((name) => !drawn.has(name)).sort()).toEqual(Object.keys(undrawn).sort())
  expect([...drawn].filter((name) => !contracts.has(name))).toEqual([])
})
