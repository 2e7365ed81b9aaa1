/** The instant as it stands on the wire: RFC 3339, UTC, milliseconds. */
export const toInstant = (at: number) => new Date(at).toISOString()

/** An instant of the wire in milliseconds; null stays null. */
export const fromInstant = (text: string | null) => (text === null ? null : Date.parse(text))

/** The same of an instant that may be none. */
export const toNullableInstant = (at: number | null) => (at === null ? null : toInstant(at))
