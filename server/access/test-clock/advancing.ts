import { addDuration } from '../../kit/duration-adding.ts'

/** How far a clock goes: a year of what is due from then on still fits on the wire. */
const furthest = Date.parse('9999-01-01T00:00:00Z')

/** Where the clock goes from `now` (milliseconds): `by` a duration or `to` an instant, never back; or which field will not do, and why. */
export function planAdvance(
  now: number,
  { by, to }: { by?: string | null; to?: string | null },
): { to: number } | { pointer: string; message: string } {
  if ((by == null) === (to == null)) return { pointer: '', message: 'give either "by" or "to"' }
  const pointer = by == null ? '/to' : '/by'
  const target = by == null ? Date.parse(to!) : addDuration(now, by)
  if (Number.isNaN(target) || target > furthest) return { pointer, message: 'must not lead beyond the year 9998' }
  if (target < now) return { pointer, message: `must not be before ${new Date(now).toISOString()}, the clock's now` }
  return { to: target }
}
