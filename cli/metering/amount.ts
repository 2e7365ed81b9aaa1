import { readDecimal } from '../../catalog-schema/numeric.ts'
import { Problem } from '../problems.ts'

/** The longest text of an amount, as long as the server's own. */
const longest = 100

/** How a flag reads an amount: a decimal above zero and below 10^18 with at most 18 decimals, with its digits as they were written. Raises cli.usage for anything else. */
export async function readAmount(value: string): Promise<string> {
  const decimal = value.length > longest ? undefined : readDecimal(value)
  if (decimal && !decimal.negative && decimal.digits !== '0') {
    const { digits, exponent } = decimal
    if (exponent >= -18 && digits.length + exponent <= 18) return value.toLowerCase()
  }
  throw new Problem('cli.usage', 'The amount must be a decimal above 0 and below 1e18 with at most 18 decimals.', {
    hint: '--amount 12.5',
  })
}
