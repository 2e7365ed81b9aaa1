import { setTimeout as pause } from 'node:timers/promises'

/** How long a write waits for another process that writes, from when it was asked for or that process was first met. */
const patienceMillis = 5000
const betweenTriesMillis = 5

/**
 * Takes the write lock of a SQLite file, which another process may have: tried again until it lets go, since SQLite itself
 * would wait with all of this thread. Writes that stand in line behind one that has waited too long are not kept waiting as
 * long again.
 */
export class WriteTurns {
  #askedAt: number | undefined
  #foreignSince: number | undefined

  /** The turn is that of a write which was asked for then (milliseconds of `performance.now`). */
  begin(askedAt: number): void {
    this.#askedAt = askedAt
  }

  /** Runs what takes the lock; throws SQLite's busy error when it is not to be had in time. */
  async take(lock: () => Promise<unknown>): Promise<void> {
    const askedAt = this.#askedAt ?? performance.now()
    for (;;)
      try {
        await lock()
        this.#foreignSince = undefined
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        this.#foreignSince ??= performance.now()
        if (performance.now() > Math.max(askedAt, this.#foreignSince) + patienceMillis) throw error
        await pause(betweenTriesMillis)
      }
  }
}

const isBusy = (error: unknown) => String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')
