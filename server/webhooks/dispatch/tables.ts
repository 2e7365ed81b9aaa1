export interface DispatchTables {
  /** The server processes that have deliveries in hand. One that is gone leaves them to others when its time is over. */
  webhook_processes: {
    id: string
    /** Milliseconds of the database's own clock. */
    alive_until: number
  }
}
