import { setTimeout as sleep } from 'node:timers/promises'

/** Work that runs again and again, a pause after each time, until it is stopped. */
export interface Clockwork {
  /** Tells what is running to stop and waits for it; nothing runs after. */
  stop(): Promise<void>
}

/** Runs `work` every `pauseMillis`, never twice at a time; a failure is told and tried again. */
export function startClockwork(
  work: (stop: AbortSignal) => Promise<void>,
  pauseMillis: number,
  failed: (error: unknown) => void,
): Clockwork {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      await sleep(pauseMillis, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) await work(signal).catch(failed)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
