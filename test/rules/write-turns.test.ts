import { expect, test } from 'vitest'
import { WriteTurns } from '../../server/database/write-turns.ts'

const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })

/** A lock that another process has for so many tries. */
function lockedFor(tries: number, error: () => Error = busy) {
  const lock = async () => {
    if (lock.tried++ < tries) throw error()
  }
  lock.tried = 0
  return lock
}

test('a write waits for another process, also when it has stood long in its own line', async () => {
  const turns = new WriteTurns()
  for (const lock of [lockedFor(10), lockedFor(10)]) {
    turns.begin(performance.now() - 60_000)
    await turns.take(lock)
    expect(lock.tried).toBe(11)
  }
})

test('what is no lock of another process is not waited for', async () => {
  const full = Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' })
  await expect(new WriteTurns().take(lockedFor(1, () => full))).rejects.toBe(full)
})

test('who stood in line behind one that has waited too long has one try', async () => {
  const turns = new WriteTurns()
  const asked = performance.now()
  turns.begin(asked)
  await expect(turns.take(lockedFor(Number.POSITIVE_INFINITY))).rejects.toThrow('locked')
  turns.begin(asked)
  await expect(turns.take(lockedFor(1))).rejects.toThrow('locked')
  turns.begin(performance.now())
  await turns.take(lockedFor(1))
}, 20_000)
