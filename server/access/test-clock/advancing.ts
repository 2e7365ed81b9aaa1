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

/** After how long a part ends: who writes of the tenant, and on SQLite who writes at all, waits for it. */
export const partMillis = 100
/** What is left to the end, which is not to be past before it is come to. */
export const lastSpan = 60_000

/**
 * How far the next part may go (whole milliseconds) after one that went `gone` of its span, or all of it, and took `taken`. What is
 * done in one stride is not cut off, however much it is: after such a part the next one goes less far.
 */
export function spanAfter(part: { span: number; gone: number; taken: number; isWhole: boolean }): number {
  if (part.isWhole && part.taken < partMillis / 2) return 2 * part.span
  return Math.max(lastSpan, part.taken > 2 * partMillis ? Math.floor(part.gone / 2) : part.gone)
}
