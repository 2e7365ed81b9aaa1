/** The last instant (milliseconds) that an RFC 3339 date-time names. */
export const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** An end as it can be written: one later than the last instant, or than any date, is that instant. */
export const writable = (end: number) => (end <= lastInstant ? end : lastInstant)
