import { expect } from 'vitest'

const enough = 100_000
const tries = 3

/**
 * Expects the large work to take less than so many times the processor time of the small. How busy the machine is makes
 * little difference to that, but memory that is tidied up meanwhile, and what other machines on the same processor take, make
 * some: it is measured again where it comes out too large.
 */
export function expectGrowthBelow(limit: number, small: () => void, large: () => void): void {
  const measured: number[] = []
  while (measured.length < tries) {
    const cost = costOf(small)
    measured.push(costOf(large) / cost)
    if (measured.at(-1)! < limit) return
  }
  expect(Math.min(...measured), `${measured.join(', ')} times`).toBeLessThan(limit)
}

/** Microseconds of this thread's own time for the work done once, over so many rounds that even a coarse clock counts them. */
function costOf(work: () => void): number {
  work()
  const before = process.threadCpuUsage()
  for (let rounds = 1; ; rounds++) {
    work()
    const { user, system } = process.threadCpuUsage(before)
    if (user + system >= enough) return (user + system) / rounds
  }
}
