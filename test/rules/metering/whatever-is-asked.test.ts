import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareDecimals, decimalText, subtractDecimals } from '../../../server/kit/decimal.ts'
import type { Course } from '../../../server/metering/consumption/course.ts'
import { consume } from '../../../server/metering/consumption/deciding.ts'
import { findHold, hold, release, settleHold } from '../../../server/metering/consumption/holding.ts'
import { heldOf, type Meter, remainingOf } from '../../../server/metering/consumption/meter.ts'
import { limitAt } from '../../../server/metering/tiers/ruling.ts'
import { amount, balance, counting, courseOf, idOf, opened } from './courses.ts'
import { ladder } from './ladders.ts'
import { parts, sum } from './slow-numbers.ts'

const tenths = (most: number) => fc.integer({ min: 1, max: most }).map((count) => count / 10)
const metric = fc.constantFrom('calls', 'exports', 'credits')
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('consume' as const), metric, wanted: tenths(60) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('hold' as const), metric, wanted: tenths(60) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('settle' as const),
      share: fc.constantFrom(0, 0.25, 0.5, 1),
      which: fc.nat(5),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('release' as const), which: fc.nat(5) }) },
)
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never

/** Two meters and the balances that pay for them, and what is asked of them. */
const asked = fc
  .record({
    calls: ladder,
    exports: ladder,
    accumulationMethod: fc.constantFrom('Sliced' as const, 'Volume' as const),
    credits: tenths(600),
    critical: fc.integer({ min: 0, max: 20 }),
    deeds: fc.array(deed, { maxLength: 25, size: 'max' }),
  })
  .map(({ calls, exports, accumulationMethod, credits, critical, deeds }) => ({
    deeds,
    meters: [
      counting('calls', calls, { accumulationMethod }),
      counting('exports', exports),
      balance('credits', {
        initialCreditAmount: credits,
        usageQuota: [{ endUsage: critical, name: null, quotaUsageLevel: 'Critical' }],
      }),
      balance('extra', { initialCreditAmount: 8 }),
    ],
  }))

interface Open {
  meterId: string
  id: string
  wanted: number
}

function use(course: Course, open: Open[], index: number, { does, metric, wanted }: Extract<Deed, { metric: string }>) {
  const meterId = idOf(course, metric)
  const held = { id: String(index), amount: amount(wanted), expiresAt: opened + 1 }
  if (does === 'consume') return void consume(course, meterId, held.amount, opened)
  if (hold(course, meterId, held, opened).allowed) open.push({ meterId, id: held.id, wanted })
}

function end(course: Course, open: Open[], one: Extract<Deed, { which: number }>) {
  const [ended] = open.splice(one.which % Math.max(1, open.length), 1)
  if (!ended) return
  const { meterId, id, wanted } = ended
  if (one.does === 'release') return release(course, meterId, id)
  const settled = amount(Math.round(wanted * 20 * one.share) / 20)
  const decision = settleHold(course, meterId, findHold(course, meterId, id)!, settled, opened)
  expect(decision.allowed).toBe(true)
}

/** Whatever is asked, `check` holds after each deed. */
const always = (check: (course: Course) => void) =>
  fc.assert(
    fc.property(asked, ({ meters, deeds }) => {
      const course = courseOf(meters)
      const open: Open[] = []
      for (const [index, one] of deeds.entries()) {
        if ('metric' in one) use(course, open, index, one)
        else end(course, open, one)
        check(course)
      }
    }),
    { numRuns: 100 },
  )

const free = ({ metered, state }: Meter) =>
  subtractDecimals((metered && limitAt(metered, state, opened)) ?? amount(1e9), state.usage)

test('usage and what is held of it stay within the limit', () => {
  always((course) => {
    for (const meter of course.meters().filter(({ metered }) => metered))
      expect(compareDecimals(free(meter), heldOf(meter.state))).toBeGreaterThanOrEqual(0)
  })
})

test('what is held can be settled and is paid: no balance goes below nothing, nothing that was decided is unfunded', () => {
  always((course) => {
    for (const { credits } of course.meters().map(({ state }) => state))
      if (credits) expect([remainingOf(credits).units < 0n, credits.unfunded.units]).toEqual([false, 0n])
  })
})

test('the ledger of a balance sums up to what remains of it', () => {
  always((course) => {
    for (const { id, state } of course.meters())
      if (state.credits) {
        const entries = course.entries.filter(({ meterId }) => meterId === id)
        const remaining = decimalText(remainingOf(state.credits))
        expect(sum(entries.map((entry) => parts(decimalText(entry.amount))))).toBe(parts(remaining))
        expect(decimalText(entries.at(-1)?.balanceAfter ?? amount(0))).toBe(remaining)
      }
  })
})
