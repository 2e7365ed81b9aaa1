import type { WriteContext } from './context.ts'
import type { Cause } from './outbox.ts'

/** The cause of whatever a request changes. */
export const causeOf = ({ tx, tenant, now, actor, correlationId }: WriteContext): Cause => ({
  tx,
  tenantId: tenant.id,
  now,
  actor,
  correlationId,
})
