/** Numbers of the model: how many 10^-36 they are. */
export type Parts = bigint

const places = 36
const one = 10n ** BigInt(places)

/** The parts of a number that is written with or without a power of ten; throws where it has more than 36 decimals. */
export function parts(written: string | number): Parts {
  const [mantissa = '', power = '0'] = String(written).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = places + Number(power) - fraction.length
  if (shift < 0) throw new RangeError(`${written} has more decimals than the model has`)
  return BigInt(whole + fraction) * 10n ** BigInt(shift)
}

/** A number of parts written out. */
export function written(value: Parts): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}${fraction === '' ? '' : '.'}${fraction}`
}

/** A product; throws where it has more decimals than the model has. */
export function times(a: Parts, b: Parts): Parts {
  if ((a * b) % one !== 0n) throw new RangeError('a product has more decimals than the model has')
  return (a * b) / one
}

export const least = (a: Parts, b: Parts): Parts => (a < b ? a : b)
export const most = (a: Parts, b: Parts): Parts => (a > b ? a : b)
export const sum = (values: readonly Parts[]): Parts => values.reduce((total, value) => total + value, 0n)

/** A thing of the wire with its numbers written out. */
export function digits(value: unknown): unknown {
  if (typeof value === 'number') return written(parts(value))
  if (Array.isArray(value)) return value.map(digits)
  if (typeof value !== 'object' || value === null) return value
  if ('rawJSON' in value) return written(parts(String(value.rawJSON)))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, digits(member)]))
}
