import type { Database } from '../../database/database.ts'
import type { Outgoing } from '../../kit/outgoing/outgoing.ts'
import type { Sealer } from '../../kit/sealing.ts'

export interface Dispatcher {
  /** Waits until what is due of a tenant's deliveries by now has been tried. */
  settle(tenantId: string): Promise<void>
  /** Starts nothing more, waits a little for what is under way, and leaves the rest to whoever comes next. */
  stop(): Promise<void>
}

export interface DispatcherOptions {
  database: Database
  sealer: Sealer
  outgoing: Outgoing
  /** The tenant's base URL as its tokens name it. */
  baseUrlOf: (slug: string) => string
  failed: (error: unknown) => void
}

/** Delivers events. */
export function startDispatcher(_options: DispatcherOptions): Dispatcher {
  return { settle: async () => undefined, stop: async () => undefined }
}
