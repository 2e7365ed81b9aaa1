import { counted } from './counting.ts'

const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How far an instant is from now (milliseconds both), in its largest unit, rounded to the nearest: `in 7 days`, `3 hours ago`, `now`. */
export function relativeWords(at: number, now: number): string {
  const distance = Math.abs(at - now)
  const finest = units.find(([, each]) => distance >= each)?.[1]
  if (finest === undefined) return 'now'
  const rounded = Math.round(distance / finest) * finest
  // What is rounded may be a whole one of the next larger unit: 24 hours are a day.
  const [unit, length] = units.find(([, each]) => rounded >= each)!
  const words = counted(Math.round(rounded / length), unit)
  return at > now ? `in ${words}` : `${words} ago`
}

/** An instant to the second. */
export const momentWords = (instant: string) => instant.replace(/\.\d+(?=Z$)/, '')

/** An instant (milliseconds) to the second, with how far it is from now. */
export const instantWords = (at: number, now: number) =>
  `${momentWords(new Date(at).toISOString())} (${relativeWords(at, now)})`
