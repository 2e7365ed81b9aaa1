const dateTime =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const firstInstant = Date.parse('0001-01-01T00:00:00Z')
/** The last instant (milliseconds) that an RFC 3339 date-time names. */
export const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** The instant (UTC, milliseconds, `…Z`) that an RFC 3339 date-time names; undefined for anything else, a leap second, a day that its month has not, or a year beyond 9999. */
export function normalInstant(text: string): string | undefined {
  const match = dateTime.exec(text)
  if (!match) return undefined
  const daysInMonth = new Date(Date.UTC(Number(match[1]), Number(match[2]), 0)).getUTCDate()
  if (Number(match[3]) > daysInMonth) return undefined
  const at = Date.parse(text.toUpperCase())
  return Number.isNaN(at) || at < firstInstant || at > lastInstant ? undefined : new Date(at).toISOString()
}
