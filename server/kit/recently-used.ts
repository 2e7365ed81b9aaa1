/** Keeps at most `capacity` values, forgetting the one that was unused for longest. */
export class RecentlyUsed<Value> {
  readonly #values = new Map<string, Value>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size > this.#capacity) this.#values.delete(this.#values.keys().next().value!)
  }

  delete(key: string): void {
    this.#values.delete(key)
  }
}
