import { setTimeout as sleep } from 'node:timers/promises'
import { restOf } from './pacing.ts'

/** What the work answers or throws, given at the pace of admission, so that its time tells nothing of why. */
export async function keepPace<T>(work: () => Promise<T>): Promise<T> {
  const arrivedAt = performance.now()
  try {
    return await work()
  } finally {
    await sleep(restOf(performance.now() - arrivedAt))
  }
}
