const attempts = 7

/** How many times longer the large work takes than the small, the best of several attempts in turn: what a busy machine adds is left out. */
export function growth(small: () => void, large: () => void): number {
  let [quickest, quickestLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < attempts; attempt++) {
    quickest = Math.min(quickest, timeOf(small))
    quickestLarge = Math.min(quickestLarge, timeOf(large))
  }
  return quickestLarge / quickest
}

function timeOf(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
