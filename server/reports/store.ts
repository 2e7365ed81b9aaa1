import { sql } from 'kysely'
import { liveStatuses } from '../../catalog-schema/enumerations.ts'

/** Whether an entitlement is live; of rows that have the columns of entitlements. */
export const isLive = sql<boolean>`status in (${sql.join(liveStatuses.map(sql.lit))}) and entitlements.is_deleted = 0`

/** Whether an entitlement is a trial, or tried anonymously: nobody pays for it. */
export const isTrial = sql<boolean>`(is_entitlement_trial = 1 or is_anonymous_try = 1)`
