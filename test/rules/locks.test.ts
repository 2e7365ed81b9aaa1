import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { here, whileLocked } from '../../cli/locks.ts'

let base: string
let lock: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'licet-locks-'))
  lock = join(base, 'made', '.lock')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(base, { recursive: true, force: true })
})

function leaveLock(holder: string) {
  mkdirSync(lock, { recursive: true })
  writeFileSync(join(lock, holder), '')
}

/** Runs some at once, each looking whether another is under way. */
async function runAtOnce(count: number): Promise<number> {
  let under = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++under)
    await setTimeout(5)
    under--
  }
  await Promise.all(Array.from({ length: count }, () => whileLocked(lock, 'it', work)))
  return most
}

/** Lets the patience of who waits be over sooner. */
function hurry() {
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 2000
    return now
  })
}

describe('a lock', () => {
  test('is held by one at a time, and leaves nothing', async () => {
    expect(await runAtOnce(8)).toBe(1)
    expect(readdirSync(join(base, 'made'))).toEqual([])
  })

  test('is free again after a failure; a directory that was made for it goes, unless something is in it', async () => {
    const fail = async () => {
      throw new Error('no')
    }
    await expect(whileLocked(lock, 'it', fail)).rejects.toThrow('no')
    expect(readdirSync(base)).toEqual([])
    mkdirSync(join(base, 'made'))
    await expect(whileLocked(lock, 'it', fail)).rejects.toThrow('no')
    expect(readdirSync(base)).toEqual(['made'])
    expect(readdirSync(join(base, 'made'))).toEqual([])
  })

  const left: [name: string, holder: () => string][] = [
    ['a run that was killed', () => `${spawnSync(process.execPath, ['-e', '']).pid}.1@${here}`],
    ['an earlier run with the same process id', () => `${process.pid}.1@${here}`],
  ]
  if (existsSync('/proc/sys/kernel/random/boot_id'))
    left.push(['a run before the machine was started anew', () => `${process.ppid}.1.another@${here}`])

  test.each(left)('that %s has left is taken over, by one at a time', async (_name, holder) => {
    leaveLock(holder())
    expect(await runAtOnce(4)).toBe(1)
    expect(existsSync(lock)).toBe(false)
  })

  test.each([
    ['a process that runs', `${process.ppid}.1@${here}`],
    ['another machine', `1.1@not-${here}`],
  ])('of %s is left alone, and said to be there', async (_name, holder) => {
    leaveLock(holder)
    hurry()
    const work = vi.fn(async () => {})
    await expect(whileLocked(lock, 'the catalog', work)).rejects.toMatchObject({
      codeName: 'cli.output',
      message: 'Another licet is writing the catalog.',
      details: { hint: expect.stringContaining(`remove ${lock}`) },
    })
    expect(work).not.toHaveBeenCalled()
    expect(readdirSync(lock)).toEqual([holder])
  })

  // Nobody, root neither, can make anything below /proc.
  test.skipIf(!existsSync('/proc/self'))(
    'that cannot be made is none: the work says what cannot be written',
    async () => {
      expect(await whileLocked('/proc/.lock', 'it', async () => 'done')).toBe('done')
    },
  )
})
