const enough = 100_000

/** How many times the processor time of the small work the large takes. How busy the machine is makes no difference to it. */
export function growth(small: () => void, large: () => void): number {
  const cost = costOf(small)
  return costOf(large) / cost
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
