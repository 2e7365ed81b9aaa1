import { lastInstant } from '../../catalog-schema/instant.ts'

/** An end as it can be written: one later than the last instant, or than any date, is that instant. */
export const writable = (end: number) => (end <= lastInstant ? end : lastInstant)
