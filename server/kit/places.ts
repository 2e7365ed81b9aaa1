/** So many at a time: whoever comes when all places are taken waits for one, in the order in which they came. */
export class Places {
  readonly #waiting: PromiseWithResolvers<void>[] = []
  readonly #most: number
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Resolves when a place is the caller's, who gives it back; rejects where those who wait are turned away. */
  async take(): Promise<void> {
    if (this.#taken < this.#most) {
      this.#taken++
      return
    }
    const turn = Promise.withResolvers<void>()
    this.#waiting.push(turn)
    await turn.promise
  }

  giveBack(): void {
    const next = this.#waiting.shift()
    if (next) next.resolve()
    else this.#taken--
  }

  /** Does the work once there is a place for it. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    await this.take()
    try {
      return await work()
    } finally {
      this.giveBack()
    }
  }

  /** Turns all away who wait. */
  turnAway(reason: unknown): void {
    for (const turn of this.#waiting.splice(0)) turn.reject(reason)
  }
}
