import { RecentlyUsed } from './recently-used.ts'

/** The ends of periods and the like are told again and again, and to write one costs as much as to find it ten times. */
const written = new RecentlyUsed<string, number>(2000)

/** The instant as it stands on the wire: RFC 3339, UTC, milliseconds. */
export function toInstant(at: number): string {
  let text = written.get(at)
  if (text === undefined) {
    text = new Date(at).toISOString()
    written.set(at, text)
  }
  return text
}

/** The same of an instant that may be none. */
export const toNullableInstant = (at: number | null) => (at === null ? null : toInstant(at))

/** An instant of the wire in milliseconds; null stays null. */
export const fromInstant = (text: string | null) => (text === null ? null : Date.parse(text))
