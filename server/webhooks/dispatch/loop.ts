import { setTimeout as sleep } from 'node:timers/promises'

interface Looped {
  /** In how many milliseconds there is work: none when at once, infinitely many when it is to be roused first. */
  waitMillis(): number
  work(): Promise<void>
  /** Is told why work failed; it goes on when that is over. */
  failed(error: unknown): Promise<void>
  signal: AbortSignal
}

/** Works whenever there is something to do, one time after the other, until `signal` ends it. */
export class Loop {
  /** When nothing runs any more. */
  readonly ended: Promise<void>
  readonly #looped: Looped
  #roused: () => void = () => undefined

  constructor(looped: Looped) {
    this.#looped = looped
    this.ended = this.#run()
  }

  /** Has it ask anew whether there is something to do. */
  rouse(): void {
    this.#roused()
  }

  async #run(): Promise<void> {
    const { waitMillis, work, failed, signal } = this.#looped
    // It begins when whoever made it is ready.
    await Promise.resolve()
    while (!signal.aborted) {
      const millis = waitMillis()
      if (millis <= 0) await work().catch(failed)
      else await this.#wait(millis)
    }
  }

  async #wait(millis: number): Promise<void> {
    const roused = new Promise<void>((resolve) => {
      this.#roused = resolve
    })
    await (millis === Number.POSITIVE_INFINITY
      ? roused
      : Promise.race([roused, sleep(millis, undefined, { ref: false })]))
  }
}
