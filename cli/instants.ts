import { normalInstant } from '../catalog-schema/instant.ts'
import { Problem } from './problems.ts'

/** How a flag of this name reads a date-time (RFC 3339). Raises cli.usage for anything else. */
export const readInstant = (flag: string) => async (value: string) => {
  const instant = normalInstant(value.trim())
  if (instant !== undefined) return instant
  throw new Problem('cli.usage', `${flag} is no date-time.`, { hint: '2027-12-31T23:59:59Z' })
}
