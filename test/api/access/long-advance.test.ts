import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { nowOfTenant } from '../../../server/access/tenants/tenant-clock.ts'
import { goMostOfTheWay } from '../../../server/access/test-clock/parts.ts'
import type { Database } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import type { RequestContext } from '../../../server/kit/context.ts'
import { type BuiltServer, serveBuilt } from '../../support/built-server.ts'
import { deadlocksOf } from '../../support/deadlocks.ts'
import { everyScope, requestToken } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { metersOf } from '../metering/metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

const day = 24 * 3_600_000
/** Filled each minute: a day of it is a good deal to do. */
const filledOften = {
  balanceUsage: { autoBalanceCronSchedule: '* * * * *', autoBalanceCreditAmount: 1, initialCreditAmount: 0 },
}
const daily = { meteredUsage: { consumptionPeriod: 'Daily' } }

forEachStore((store) => {
  const server = serveTests(store)
  const live = metersOf(server)
  const sandbox = metersOf(server, 'sandbox')
  const { devices } = sandbox
  let database: Database
  beforeAll(() => {
    database = openDatabase(server.databaseUrl)
  })
  afterAll(() => database.close())

  const now = () => nowOfTenant(database.read, server.tenantIds.sandbox)
  const hasMoved = async (from: number): Promise<void> => {
    while ((await now()) < from + day) await sleep(5)
  }

  test('whoever uses something while a clock goes far is answered on the way, and at the time that it is by then', async () => {
    const own = await sandbox.newLicense({ credits: filledOften, pages: daily })
    const other = await live.newLicense({ pages: daily })
    const from = await now()
    let isOver = false
    const advanced = devices.advance('P20D').finally(() => {
      isOver = true
    })
    await hasMoved(from)
    const decided: Json[] = []
    let onTheWay = 0
    while (!isOver) {
      const [mine] = await Promise.all([sandbox.consume(own, 'pages', 1), live.consume(other, 'pages', 1)])
      decided.push(mine)
      if (!isOver) onTheWay++
    }
    await advanced
    expect(onTheWay).toBeGreaterThan(2)
    for (const { decidedAt, periodStart, periodEnd } of decided) {
      expect(Date.parse(decidedAt)).toBeGreaterThanOrEqual(Date.parse(periodStart))
      expect(Date.parse(decidedAt)).toBeLessThan(Date.parse(periodEnd))
    }
    const times = decided.map(({ decidedAt }) => Date.parse(decidedAt))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test('what is put into a balance meanwhile is dated after what was there before it', async () => {
    const { id } = await sandbox.newEntitlement({ credits: filledOften })
    let isOver = false
    const advanced = devices.advance('P10D').finally(() => {
      isOver = true
    })
    while (!isOver) {
      // A token is over as soon as the clock has moved: some of these are refused.
      const token = await server.tokenWith(everyScope, 'sandbox')
      const deposit = { token, body: { amount: 5 } }
      await devices.at('POST', `operational/entitlements/${id}/balances/credits/deposit`, deposit)
    }
    await advanced
    const rows = await database.read
      .selectFrom('balance_entries')
      .select(['kind', 'occurred_at'])
      .where('entitlement_id', '=', id)
      .orderBy('id')
      .execute()
    expect(rows.filter(({ kind }) => kind === 'Deposit').length).toBeGreaterThan(1)
    const times = rows.map(({ occurred_at }) => occurred_at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  if (store.kind === 'sqlite')
    test('of advances side by side one at a time is in the line of those who write', async () => {
      let inLine = 0
      const seen: number[] = []
      const counted: Database = Object.assign(Object.create(database), {
        transact: (work: Parameters<Database['transact']>[0]) => {
          seen.push(++inLine)
          return database.transact(work).finally(() => inLine--)
        },
      })
      const asked = { database: counted, tenant: { id: server.tenantIds.sandbox }, dueWork: [], headers: {} }
      const context = { ...asked, correlationId: 'side by side' } as unknown as RequestContext
      await Promise.all(['P9D', 'P9D', 'P9D'].map((by) => goMostOfTheWay(context, { by })))
      expect(seen.length).toBeGreaterThan(6)
      expect(new Set(seen)).toEqual(new Set([1]))
    })

  const servers: BuiltServer[] = []
  afterEach(() => {
    for (const one of servers.splice(0)) one.process.kill('SIGKILL')
  })
  const serve = async () => {
    const one = await serveBuilt(server.databaseUrl)
    servers.push(one)
    return one.origin
  }
  const ask = async (origin: string, by: string, key?: string) => {
    const token = await requestToken(`${origin}/t/sandbox`, server.clients.sandbox, everyScope)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/t/sandbox/api/v1/provision/admin/test-clock/advance`, {
      method: 'POST',
      headers: { ...headers, ...(key && { 'idempotency-key': key }) },
      body: JSON.stringify({ by }),
    })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json }
  }

  test('under a key it is gone once, whichever servers are asked at once and whoever else moves the clock', async () => {
    const origins = [await serve(), await serve()] as const
    const from = await now()
    const [one, twin] = await Promise.all(origins.map((origin) => ask(origin, 'P3D', 'twins')))
    expect([one!.status, twin!.body]).toEqual([200, one!.body])
    expect([one, twin].filter((answer) => answer?.headers.get('idempotency-replayed')).length).toBe(1)
    expect(Math.floor(((await now()) - from) / (day / 24))).toBe(3 * 24)
    const before = await now()
    const beside = ask(origins[0], 'P3D', 'beside others')
    await hasMoved(before)
    const others = [await ask(origins[1], 'P2D', 'another'), await ask(origins[1], 'P2D')]
    expect([(await beside).status, ...others.map(({ status }) => status)]).toEqual([200, 200, 200])
    expect(Math.round(((await now()) - before) / (day / 24))).toBe(7 * 24)
    for (const { process } of servers.splice(0)) process.kill('SIGKILL')
    expect(await deadlocksOf(store.kind, server.databaseUrl)).toBe(0)
    server.tokens.sandbox = await server.tokenWith(everyScope, 'sandbox')
  })

  test('an advance under a key whose server was killed on the way is gone on with when it is asked again', async () => {
    await sandbox.newLicense({ credits: filledOften })
    const origin = await serve()
    const from = await now()
    const cutOff = ask(origin, 'P6D', 'far').catch(() => undefined)
    await hasMoved(from)
    servers[0]!.process.kill('SIGKILL')
    expect(await cutOff).toBeUndefined()
    const cutAt = await now()
    expect(cutAt - from).toBeLessThan(6 * day)
    const next = await serve()
    expect(await ask(next, 'P7D', 'far')).toMatchObject({
      status: 409,
      body: { codeName: 'request.idempotency_conflict' },
    })
    const done = await ask(next, 'P6D', 'far')
    expect(done.status).toBe(200)
    const wentTo = Date.parse(done.body.now)
    expect(wentTo - from).toBeGreaterThanOrEqual(6 * day)
    expect(wentTo - from).toBeLessThan(7 * day)
    const again = await ask(next, 'P6D', 'far')
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([done.body, 'true'])
    server.tokens.sandbox = await server.tokenWith(everyScope, 'sandbox')
    const { items } = await devices.get('admin/audit?filter=operation==admin.testClock.advance&sortOrder=-occurredAt')
    const told = items.filter((one: Json) => Date.parse(one.occurredAt) >= from)
    expect(told).toHaveLength(1)
  })
})
