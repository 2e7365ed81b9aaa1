import type { Readable } from '../../database/database.ts'
import type { WebhookRetention } from './contract.ts'
import { readSettings } from './store.ts'

/** How long a tenant's deliveries of webhooks are kept once they are over. */
export const readWebhookRetention = async (read: Readable, tenantId: string): Promise<WebhookRetention> =>
  (await readSettings(read, tenantId)).settings.webhookRetention
