import { readDecimal } from '../../catalog-schema/numeric.ts'
import { Problem } from '../problems.ts'

/** How a flag reads an amount: a decimal above zero, kept as it was written. Raises cli.usage for anything else. */
export async function readAmount(value: string): Promise<string> {
  const decimal = readDecimal(value)
  if (decimal && !decimal.negative && decimal.digits !== '0') return value
  throw new Problem('cli.usage', 'The amount is no decimal above zero.', { hint: '--amount 12.5' })
}
