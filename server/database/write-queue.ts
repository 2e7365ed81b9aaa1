/** The one line that all writes of a SQLite file stand in. */
export class WriteQueue {
  #tail: Promise<unknown> = Promise.resolve()

  /** Runs `work` when every write before it is done; no other write starts until it settles. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work)
    this.#tail = turn.catch(() => undefined)
    return turn
  }
}
