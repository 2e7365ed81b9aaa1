import type { ResourceLimits } from 'node:worker_threads'

/** What is new in a thread may take 32 MB, as much as `licet serve` begins it with, once and twice more to collect it: V8 would double it (decision 0015). */
export const threadLimits: ResourceLimits = { maxYoungGenerationSizeMb: 96 }
