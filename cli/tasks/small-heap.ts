import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** So many bytes of what is new are enough for requests: with fewer, much is kept that is garbage a moment later. */
const newSpaceBytes = 8 * 2 ** 20

/**
 * Has garbage collected before much of it lies about: V8 would let the heap grow to four times what is alive, and the space of
 * what is new to 128 MB. That space may grow to what requests need, and again after V8 has made it small; a thread that is
 * started later has what heavy operations need from its beginning. Half the memory, at the same speed (decision 0015).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50')
  setFlagsFromString('--min-semi-space-size=32')
  limitNewSpace()
  new PerformanceObserver(limitNewSpace).observe({ entryTypes: ['gc'] })
}

/** Lets V8 make the space twice as large while it is too small; it does so only where it collects. */
function limitNewSpace(): void {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!
  // A little of it is V8's own.
  const isEnough = space.space_used_size + space.space_available_size > newSpaceBytes * 0.75
  setFlagsFromString(`--semi-space-growth-factor=${isEnough ? 1 : 2}`)
}
