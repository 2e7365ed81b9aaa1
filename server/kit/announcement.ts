/** The channel on which processes that share a PostgreSQL tell one another that there is something to deliver. */
export const announcementChannel = 'licet_events'

const listeners = new Set<() => void>()

/** Tells this process alone: all there is where a SQLite file has one server. */
export function announceHere(): void {
  for (const listener of listeners) listener()
}

/** Calls `heard` at each announcement in this process, until what it answers is called. */
export function hearHere(heard: () => void): () => void {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}
