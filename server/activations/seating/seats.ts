/**
 * The seats of what is counted (entitlements, codes) while operations are decided one after another: what is taken, and how
 * that has changed since it was read.
 */
export class Seats {
  readonly #taken: Map<string, number>
  readonly #changes = new Map<string, number>()

  constructor(taken: ReadonlyMap<string, number>) {
    this.#taken = new Map(taken)
  }

  /** Whether one more may be taken of at most `limit` (null: any number). */
  hasRoom(id: string, limit: number | null): boolean {
    return limit === null || (this.#taken.get(id) ?? 0) < limit
  }

  /** Takes a seat, or gives it back (-1). */
  move(id: string, by: 1 | -1): void {
    this.#taken.set(id, (this.#taken.get(id) ?? 0) + by)
    this.#changes.set(id, (this.#changes.get(id) ?? 0) + by)
  }

  /** What was taken or given back in all, in the order of the ids; what came to nothing is left out. */
  changes(): [id: string, by: number][] {
    return [...this.#changes].filter(([, by]) => by !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  }
}
