/**
 * Keeps the `capacity` values used last, and up to as many again. They stand in two halves: what is used moves to the newer
 * one, and when that is full the older one is forgotten, so that to find a value changes nothing.
 */
export class RecentlyUsed<Value, Key = string> {
  #newer = new Map<Key, Value>()
  #older = new Map<Key, Value>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: Key): Value | undefined {
    const value = this.#newer.get(key)
    if (value !== undefined) return value
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: Key, value: Value): void {
    this.#newer.set(key, value)
    if (this.#newer.size < this.#capacity) return
    this.#older = this.#newer
    this.#newer = new Map()
  }

  delete(key: Key): void {
    this.#newer.delete(key)
    this.#older.delete(key)
  }
}
