import fc from 'fast-check'
import { createDraws } from '../support/draws.ts'
import { arbitraryOf } from '../support/schema-arbitraries.ts'

/** What chance decides in a run, the same for the same seed. */
export interface Draw {
  /** A whole number from 0 to below `count`. */
  below(count: number): number
  /** True so often, of 1. */
  chance(share: number): boolean
  oneOf<T>(values: readonly T[]): T
  /** The value so often, of 1; else undefined, which leaves a field out. */
  maybe<T>(share: number, value: () => T): T | undefined
  /** Up to so many values, each drawn anew. */
  several<T>(most: number, value: () => T): T[]
  /** One of the values as often as its weight has it. */
  weighted<T extends { weight: number }>(values: readonly T[]): T
  /** Any value that a schema may be given, and now and then one that it may not. */
  anyOf(schema: object): unknown
}

export function drawing(seed: number): Draw {
  const next = createDraws(seed)
  const below = (count: number) => Math.floor(next() * count)
  const chance = (share: number) => next() < share
  return {
    below,
    chance,
    oneOf: (values) => values[below(values.length)]!,
    maybe: (share, value) => (chance(share) ? value() : undefined),
    several: (most, value) => Array.from({ length: below(most + 1) }, value),
    weighted(values) {
      const drawn = next() * values.reduce((sum, { weight }) => sum + weight, 0)
      let sum = 0
      for (const value of values) {
        sum += value.weight
        if (drawn < sum) return value
      }
      return values.at(-1)!
    },
    anyOf: (schema) => fc.sample(arbitraryOf(schema), { numRuns: 1, seed: below(2 ** 31) })[0],
  }
}
