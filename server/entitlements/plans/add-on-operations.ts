import type { AddOnFeatureValue } from '../../../catalog-schema/add-on.ts'
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalText,
  largerOf,
  toDecimal,
  zero,
} from '../../kit/decimal.ts'

type Operation = AddOnFeatureValue['operation']

/** The value of a Numeric or Metered feature that has no limit. */
export const unlimited = 'Infinity'

/**
 * What an add-on makes of a value: Replace sets it, Add adds to a number exactly, Max keeps the larger; of flags, both keep
 * the one that is true. What cannot be added to or compared stays as it is, and nothing given changes nothing.
 */
export function operate(operation: Operation, before: string | null, given: string | null): string | null {
  if (given === null) return before
  if (operation === 'Replace' || before === null) return given
  if (isFlag(before) && isFlag(given)) return before === 'true' ? before : given
  return (operation === 'Add' ? sumOf(before, given) : largerValue(before, given)) ?? before
}

const isFlag = (text: string) => text === 'true' || text === 'false'

function sumOf(before: string, given: string): string | undefined {
  const [one, other] = [numberOf(before), numberOf(given)]
  if (!one || !other) return undefined
  return one === unlimited || other === unlimited ? unlimited : decimalText(addDecimals(one, other))
}

function largerValue(before: string, given: string): string | undefined {
  const [one, other] = [numberOf(before), numberOf(given)]
  if (!one || !other) return undefined
  if (one === unlimited || other === unlimited) return unlimited
  return compareDecimals(one, other) < 0 ? given : before
}

/** The number that a value is; undefined when it is none. */
export const numberOf = (value: string | null): Decimal | typeof unlimited | undefined =>
  value === null ? undefined : value === unlimited ? unlimited : toDecimal(value)

/** What a value lets be used: one below zero leaves as little as zero does. */
export function limitIn(value: string | null): ReturnType<typeof numberOf> {
  const number = numberOf(value)
  return number && number !== unlimited ? largerOf(zero, number) : number
}
