import { RecentlyUsed } from '../../kit/recently-used.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { Secret } from '../subscriptions/secrets.ts'
import { openSecrets } from '../subscriptions/store.ts'
import type { DueSubscription } from './store.ts'

/** Where deliveries of a subscription go and how they are signed, as its row says. */
export interface Endpoint {
  id: string
  tenantId: string
  slug: string
  url: string
  profile: DueSubscription['signature_profile']
  secrets: readonly Secret[]
  callbackScopes: readonly string[]
  isSandbox: boolean
  /** Milliseconds that the tenant's clock is ahead. */
  clockOffset: number
}

const opened = new RecentlyUsed<Pick<Endpoint, 'secrets' | 'callbackScopes'>>(1000)

/** The endpoint of a subscription, what is sealed being opened once for each revision; undefined where that does not open. */
export function endpointOf(sealer: Sealer, row: DueSubscription): Endpoint | undefined {
  const name = `${row.id}/${row.revision_number}/${row.sealed_secrets}`
  let known = opened.get(name)
  if (!known) {
    const secrets = openSecrets(sealer, row)
    if (!secrets) return undefined
    known = { secrets, callbackScopes: JSON.parse(row.callback_scopes) as string[] }
    opened.set(name, known)
  }
  return {
    ...known,
    id: row.id,
    tenantId: row.tenant_id,
    slug: row.slug,
    url: row.url,
    profile: row.signature_profile,
    isSandbox: row.kind === 'Sandbox',
    clockOffset: row.clock_offset,
  }
}
