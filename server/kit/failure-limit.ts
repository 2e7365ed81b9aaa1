import { Problem } from './problem.ts'

interface Window {
  since: number
  failures: number
}

/** Counts failures per key in windows of a fixed length; remembers at most `capacity` keys, the earliest forgotten first. */
export class FailureLimit {
  readonly #windows = new Map<string, Window>()
  readonly #most: number
  readonly #windowMillis: number
  readonly #capacity: number

  constructor(most: number, windowMillis: number, capacity: number) {
    this.#most = most
    this.#windowMillis = windowMillis
    this.#capacity = capacity
  }

  /** Counts one more failure; true while the key stays within its limit. */
  record(key: string, now: number): boolean {
    const window = this.#current(key, now)
    if (window) {
      window.failures++
      return window.failures <= this.#most
    }
    this.#windows.delete(key)
    this.#windows.set(key, { since: now, failures: 1 })
    if (this.#windows.size > this.#capacity) this.#windows.delete(this.#windows.keys().next().value!)
    return this.#most >= 1
  }

  /** Counts one more; throws request.rate_limited, with what is said, when the key is over its limit. */
  count(key: string, now: number, said: string): void {
    if (this.record(key, now)) return
    const headers = { 'retry-after': String(this.secondsLeft(key, now)) }
    throw new Problem('request.rate_limited', said, { headers })
  }

  /** Whole seconds until the key's window is over, at least 1. */
  secondsLeft(key: string, now: number): number {
    const window = this.#current(key, now)
    return window ? Math.max(1, Math.ceil((window.since + this.#windowMillis - now) / 1000)) : 1
  }

  #current(key: string, now: number): Window | undefined {
    const window = this.#windows.get(key)
    // What was asked a little earlier may be counted a little later; a window is not begun anew for that.
    return window && Math.abs(now - window.since) < this.#windowMillis ? window : undefined
  }
}
