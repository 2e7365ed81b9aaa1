import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database, Tx } from '../../server/database/database.ts'
import { type DueWork, runDueNow, runDueUntil } from '../../server/kit/due-work.ts'

/** Instants that are due, by tenant, and the order in which they are dealt with; `meanwhile` is told of each. */
function backlog(due: Record<string, number[]>, meanwhile: (done: readonly string[]) => void = () => {}) {
  const done: string[] = []
  const work: DueWork = {
    findNext: async (_read, tenantId) => due[tenantId]?.[0],
    findTenants: async () => Object.keys(due).filter((tenantId) => due[tenantId]!.length > 0),
    run: async ({ tenantId }) => {
      done.push(`${tenantId}${due[tenantId]!.shift()}`)
      meanwhile(done)
    },
  }
  const transact = <T>(deal: (tx: Tx) => Promise<T>) => deal({} as Tx)
  const database = { read: {}, transact } as unknown as Database
  return { done, run: (now: number, stop?: AbortSignal) => runDueNow(database, [work], async () => now, stop) }
}
const instants = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test("no tenant waits for the whole of another's backlog", async () => {
  const { done, run } = backlog({ a: instants(500), b: instants(25), c: instants(1) })
  await run(1000)
  expect(done).toHaveLength(526)
  expect(done.indexOf('c1')).toBeLessThan(50)
  expect(done.indexOf('b25')).toBeLessThan(100)
})

test('a tenant for which something becomes due meanwhile does not wait for it either', async () => {
  const due: Record<string, number[]> = { a: instants(500) }
  const { done, run } = backlog(due, ({ length }) => {
    if (length === 15) due.late = [1]
  })
  await run(1000)
  expect(done).toHaveLength(501)
  expect(done.indexOf('late1')).toBeLessThan(50)
})

test('each tenant is caught up in the order of its instants, and what is not due yet is left', async () => {
  const due = { a: instants(60), b: instants(35) }
  const { done, run } = backlog(due)
  await run(30)
  for (const tenant of ['a', 'b'])
    expect(done.filter((instant) => instant.startsWith(tenant))).toEqual(instants(30).map((at) => `${tenant}${at}`))
  expect(due).toEqual({ a: instants(60).slice(30), b: instants(35).slice(30) })
})

test('a tenant whose work fails holds no other up, and what went wrong is told in the end', async () => {
  const due = { a: instants(3), b: instants(3) }
  const { done, run } = backlog(due, (instantsDone) => {
    if (instantsDone.at(-1) === 'a2') throw new Error('a row that nobody can read')
  })
  await expect(run(10)).rejects.toMatchObject({ message: 'what is due of a was not done', errors: [expect.any(Error)] })
  expect(done.filter((instant) => instant.startsWith('b'))).toEqual(['b1', 'b2', 'b3'])
})

test('told to stop, it ends the turn that it is at and leaves the rest', async () => {
  const stopping = new AbortController()
  const due = { a: instants(60), b: instants(60) }
  const { done, run } = backlog(due, ({ length }) => {
    if (length === 25) stopping.abort()
  })
  await run(100, stopping.signal)
  expect(done).toHaveLength(30)
  expect(due).toEqual({ a: instants(60).slice(20), b: instants(60).slice(10) })
})

test('work that strides goes on alone until something of others is due, and no further than its stride', async () => {
  const runs: string[] = []
  const working = (name: string, instants: number[], stride?: number): DueWork => ({
    findNext: async () => instants[0],
    findTenants: async () => [],
    ...(stride === undefined ? {} : { stride }),
    run: async ({ now }) => {
      if (instants[0] === undefined || instants[0] > now) return
      runs.push(`${name}${now}`)
      while (instants[0] !== undefined && instants[0] <= now) instants.shift()
    },
  })
  const work = [working('plain', [5, 6]), working('striding', [1, 2, 3, 4, 7, 8, 40], 10)]
  // Once its time is over it ends where nothing was done beyond.
  expect(await runDueUntil({} as Tx, work, 'a', 30, 'once', { millis: -1 })).toBe(5)
  expect(runs).toEqual(['striding5', 'plain5'])
  expect(await runDueUntil({} as Tx, work, 'a', 30, 'once')).toBe(30)
  expect(runs).toEqual(['striding5', 'plain5', 'plain6', 'striding17'])
})

test('what is asked in a transaction is answered before the transaction fails', async () => {
  const answered: string[] = []
  const asking = (name: string, findNext: () => Promise<undefined>): DueWork => ({
    findNext: () => findNext().finally(() => answered.push(name)),
    findTenants: async () => [],
    run: async () => undefined,
  })
  const failing = asking('failing', async () => {
    throw new Error('a row that nobody can read')
  })
  const slow = asking('slow', () => sleep(20, undefined))
  await expect(runDueUntil({} as Tx, [failing, slow], 'a', 30, 'once')).rejects.toThrow('a row that nobody can read')
  expect(answered).toEqual(['failing', 'slow'])
})
