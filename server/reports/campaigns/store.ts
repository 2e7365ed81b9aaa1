import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { isLive, isTrial } from '../store.ts'
import type { Window } from '../window.ts'

/** What each campaign led to in the window; those that led to nothing too, by name. */
export const countIssuances = (read: Readable, tenantId: string, { from, to }: Window) =>
  read
    .selectFrom('campaigns')
    .leftJoin('campaign_touches', (join) => {
      const issued = join
        .onRef('campaign_touches.campaign_id', '=', 'campaigns.id')
        .onRef('campaign_touches.tenant_id', '=', 'campaigns.tenant_id')
        .on('kind', '=', 'Issuance')
      const begun = from === null ? issued : issued.on('touched_at', '>=', from)
      return to === null ? begun : begun.on('touched_at', '<', to)
    })
    .leftJoin('entitlements', 'entitlements.id', 'entitlement_id')
    .where('campaigns.tenant_id', '=', tenantId)
    .where('campaigns.is_deleted', '=', no)
    .select(['campaigns.id as campaignId', 'campaigns.name as campaignName', 'source'])
    .select(['starts_at as startsAt', 'ends_at as endsAt'])
    .select((eb) => eb.fn.count<number>('entitlement_id').as('issued'))
    .select(sql<number>`sum(case when ${isLive} and not ${isTrial} then 1 else 0 end)`.as('live'))
    .select(sql<number>`sum(case when ${isLive} and ${isTrial} then 1 else 0 end)`.as('trials'))
    .select((eb) => [eb.fn.min('touched_at').as('firstIssuedAt'), eb.fn.max('touched_at').as('lastIssuedAt')])
    .groupBy(['campaigns.id', 'campaigns.name', 'source', 'starts_at', 'ends_at'])
    .orderBy('campaigns.name')
    .orderBy('campaigns.id')
    .execute()
