import { afterAll, describe, expect, test } from 'vitest'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { keptConnections } from './kept-connections.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const tiered = (...usageTiers: object[]) => ({ meteredUsage: { usageTiers } })
const hundred = tiered(tier(0, 100, 'None'), tier(100, null, 'Deny'))
const endless = tiered(tier(0, null, 'None'))
const credits = (initialCreditAmount: number) => ({ balanceUsage: { initialCreditAmount } })
const sumOf = (decisions: readonly Json[]): number =>
  decisions.filter(({ allowed }) => allowed).reduce((sum, { amount }) => sum + amount, 0)
const randomAmount = () => 1 + Math.floor(Math.random() * 7)

/** In an order of chance. */
const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => [Math.random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one)

/*
 * What was changed in the code, once, to see these fail:
 *
 * - `loadCourses` takes no lock on PostgreSQL: there every test fails, in one process and in two.
 * - Operations of one batch are decided as though each were the only one: every test fails, on both stores.
 * - `decideTogether` looks up no decisions that were given: the tests of keys fail, on both stores.
 */
forEachStore((store) => {
  // As processes of their own are known, which take each other's tokens by that.
  const server = serveTests(store, { publicUrl: 'http://licet.example' })
  const beside = databaseBeside(server)
  const meters = metersOf(server)
  const { ask, close } = keptConnections()
  afterAll(close)

  /** Calls of a licence, each to the next of these servers. */
  const callsOf = (origins: () => readonly string[]) => {
    let next = 0
    const at = async (method: string, path: string, token: string, body?: object): Promise<Json> => {
      const all = origins()
      const url = `${all[next++ % all.length]}/t/acme/api/v1/provision/${path}`
      const answer = await ask(method, url, token, body ? { body: JSON.stringify(body) } : {})
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      return answer.body
    }
    let keys = 0
    return {
      consume: ({ token, session }: Json, metric: string, amount: number, key = `key-${keys++}`) =>
        at('POST', `usage/try-consume/${session.id}/${metric}?amount=${amount}&idempotentKey=${key}`, token),
      read: ({ token, session }: Json, metric: string, what: 'usage' | 'consumption') =>
        at('GET', `usage/${session.id}/${metric}/${what}`, token),
      move: (deed: 'deposit' | 'deduct', entitlementId: string, amount: number) =>
        at('POST', `operational/entitlements/${entitlementId}/balances/credits/${deed}`, server.tokens.acme, {
          amount,
        }),
    }
  }
  const { consume, read } = callsOf(() => [server.origin])

  /** That a balance is what its ledger sums to, was never below zero, and every movement went out from what another left. */
  const expectBalanced = async (entitlementId: string, remaining: number) => {
    const rows = await beside.open.read
      .selectFrom('balance_entries')
      .select(['amount', 'balance_after'])
      .where('entitlement_id', '=', entitlementId)
      .execute()
    const after = rows.map((row) => Number(row.balance_after)).toSorted((a, b) => a - b)
    const before = rows.map((row) => Number(row.balance_after) - Number(row.amount)).toSorted((a, b) => a - b)
    expect(rows.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(remaining)
    expect([...before, remaining].toSorted((a, b) => a - b)).toEqual([0, ...after])
  }

  test('400 consumers of any amounts never pass the limit, and none is refused that would fit in the end', async () => {
    const license = await meters.newLicense({ calls: hundred })
    let waiting = times(400, randomAmount)
    let used = 0
    for (let before = -1; used > before; ) {
      before = used
      const decisions = await Promise.all(waiting.map((amount) => consume(license, 'calls', amount)))
      used += sumOf(decisions)
      expect(used).toBeLessThanOrEqual(100)
      expect(Math.max(...decisions.map(({ usage }) => usage))).toBe(used)
      waiting = decisions.filter(({ allowed }) => !allowed).map(({ amount }) => amount)
    }
    expect(await read(license, 'calls', 'usage')).toMatchObject({ usage: used, remaining: 100 - used })
    expect(Math.min(...waiting)).toBeGreaterThan(100 - used)
  })

  test('a thousand keys, each sent one to five times in any order, count once each', async () => {
    const license = await meters.newLicense({ calls: endless })
    const asked = times(1000, (at) => ({ key: `once-${at}`, amount: randomAmount() }))
    const sent = shuffled(asked.flatMap((one) => times(1 + Math.floor(Math.random() * 5), () => one)))
    const decisions = await Promise.all(sent.map(({ key, amount }) => consume(license, 'calls', amount, key)))
    const firsts = decisions.filter(({ replayed }) => !replayed)
    expect(new Set(firsts.map(({ idempotentKey }) => idempotentKey)).size).toBe(1000)
    expect(firsts).toHaveLength(1000)
    expect((await read(license, 'calls', 'usage')).usage).toBe(asked.reduce((sum, { amount }) => sum + amount, 0))
  })

  /** Consumption, deposits and deductions at once, and readers beside them. */
  const bank = async (calls: ReturnType<typeof callsOf>) => {
    const license = await meters.newLicense({
      calls: tiered(
        tier(0, 50, 'None'),
        tier(50, null, 'AllowWithOverage', {
          ...{ fundingBalanceMetric: 'credits', creditsPerUnitOfConsumption: 2, baseCredits: 5, name: 'Overage' },
        }),
      ),
      credits: credits(30),
    })
    const moved = { deposit: 0, deduct: 0 }
    const moving = (deed: 'deposit' | 'deduct', amount: number) =>
      calls.move(deed, license.entitlementId, amount).then(
        () => {
          moved[deed] += amount
        },
        (error: Error) => expect(error.message).toContain('usage.insufficient_credits'),
      )
    const seen: number[] = []
    const reading = async () => {
      for (let turn = 0; turn < 10; turn++) seen.push((await calls.read(license, 'calls', 'usage')).usage)
    }
    const [overage, spent] = await Promise.all([
      Promise.all(times(120, () => calls.consume(license, 'calls', randomAmount()))),
      Promise.all(times(40, () => calls.consume(license, 'credits', randomAmount()))),
      Promise.all(times(30, (at) => moving(at % 3 === 0 ? 'deduct' : 'deposit', 1 + (at % 7)))),
      reading(),
    ])
    const used = sumOf(overage)
    const charged = overage.reduce((sum, { chargedCredits }) => sum + chargedCredits, 0)
    const balance = await read(license, 'credits', 'consumption')
    expect(charged).toBe(used > 50 ? 5 + 2 * (used - 50) : 0)
    expect(balance.remaining).toBe(30 + moved.deposit - moved.deduct - charged - sumOf(spent))
    expect(balance.totalCredits - balance.creditsUsed).toBe(balance.remaining)
    expect(balance.unfundedCredits).toBe(0)
    expect(await read(license, 'calls', 'usage')).toMatchObject({ usage: used })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBeLessThanOrEqual(used)
    await expectBalanced(license.entitlementId, balance.remaining)
  }

  test('credits are conserved while they are consumed, charged, deposited and deducted, and usage is read rising', () =>
    bank(callsOf(() => [server.origin])))

  describe.runIf(store.kind === 'postgres')('two server processes', () => {
    const start = serverProcesses()
    let origins: Promise<string[]> | undefined
    const begin = () => {
      origins ??= Promise.all([1, 2].map(() => originOf(start(server.databaseUrl))))
      return origins
    }

    test('share a limit: of 500 consumers 100 get the 100 units', { timeout: 60_000 }, async () => {
      const both = await begin()
      const license = await meters.newLicense({ calls: hundred })
      const { consume } = callsOf(() => both)
      const decisions = await Promise.all(times(500, () => consume(license, 'calls', 1)))
      expect(sumOf(decisions)).toBe(100)
      expect(await read(license, 'calls', 'usage')).toMatchObject({ usage: 100, remaining: 0 })
    })

    test('decide once under a key that both are sent', { timeout: 60_000 }, async () => {
      const both = await begin()
      const license = await meters.newLicense({ calls: endless })
      const { consume } = callsOf(() => both)
      const decisions = await Promise.all(times(300, (at) => consume(license, 'calls', 2, `shared-${at % 60}`)))
      expect(decisions.filter(({ replayed }) => !replayed)).toHaveLength(60)
      expect((await read(license, 'calls', 'usage')).usage).toBe(120)
    })

    test('conserve the credits of one balance', { timeout: 60_000 }, async () => {
      const both = await begin()
      await bank(callsOf(() => both))
    })
  })
})
