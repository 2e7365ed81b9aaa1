import { verify, verifyIntegration } from './challenge/procedures.ts'
import { deliveryProcedures } from './deliveries/procedures.ts'
import { schemas } from './event-types/procedures.ts'
import { integrationProcedures, subscriptionProcedures } from './subscriptions/procedures.ts'

/** The procedures of the room, by resource. */
export const webhookProcedures = {
  subscriptions: { ...subscriptionProcedures, verify },
  integrations: { ...integrationProcedures, verify: verifyIntegration },
  deliveries: deliveryProcedures,
  schemas,
}
