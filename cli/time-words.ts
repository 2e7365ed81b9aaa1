import { counted } from './counting.ts'

const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How far an instant is from now (milliseconds both), in its largest whole unit: `in 6 days`, `3 hours ago`, `now`. */
export function relativeWords(at: number, now: number): string {
  const distance = Math.abs(at - now)
  const [unit, length] = units.find(([, each]) => distance >= each) ?? []
  if (!unit) return 'now'
  const count = Math.floor(distance / length)
  const words = counted(count, unit)
  return at > now ? `in ${words}` : `${words} ago`
}

/** An instant to the second. */
export const momentWords = (instant: string) => instant.replace(/\.\d+(?=Z$)/, '')

/** An instant (milliseconds) to the second, with how far it is from now. */
export const instantWords = (at: number, now: number) =>
  `${momentWords(new Date(at).toISOString())} (${relativeWords(at, now)})`
