import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { SeatsOfChanged } from '../../entitlements/seats/held.ts'
import { yes } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'

/** Until when (milliseconds) is counted, and from when on it is not before the window. */
interface Counted {
  from: number | null
  now: number
}

/** A day of the UTC calendar, counted since 1970. */
const dayOf = (column: string) => sql<number>`${sql.ref(column)} / 86400000`

const isBefore = (column: string, from: number | null) =>
  sql<0 | 1>`case when ${sql.ref(column)} < ${from} then 1 else 0 end`

/** The sessions of the tenant that were activated, by the day of that. */
export const countActivations = (read: Readable, tenantId: string, { from, now }: Counted) =>
  read
    .selectFrom((eb) =>
      eb
        .selectFrom('license_sessions')
        .where('tenant_id', '=', tenantId)
        .where('activated_at', '<=', now)
        .select(dayOf('activated_at').as('day'))
        .select(isBefore('activated_at', from).as('isBefore'))
        .as('begun'),
    )
    .select(['day', 'isBefore'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['day', 'isBefore'])
    .execute()

/** Whether the seat came free with time, before anybody gave it back or took it away. */
const hasLapsed = sql`seat_until <= coalesce(released_at, revoked_at, seat_until)`

/**
 * The sessions that ceased to hold a seat, by the day of that and how it came: released, revoked, or with time; but for those that
 * are seated by a policy that was changed since.
 */
export const countSeatEnds = (
  read: Readable,
  tenantId: string,
  { from, now }: Counted,
  { entitlementIds }: SeatsOfChanged,
) =>
  read
    .selectFrom((eb) =>
      eb
        .selectFrom((inner) =>
          inner
            .selectFrom('license_sessions')
            .where('tenant_id', '=', tenantId)
            .where('activated_at', '<=', now)
            .$if(entitlementIds.length > 0, (sessions) =>
              sessions.where(({ eb, not, and }) =>
                not(and([eb('is_seated', '=', yes), isAmong(read, 'entitlement_id', listed(read, entitlementIds))])),
              ),
            )
            .select(
              sql<'released' | 'revoked' | 'lapsed'>`case when ${hasLapsed} then 'lapsed'
when released_at is not null then 'released' else 'revoked' end`.as('how'),
            )
            .select(
              sql<number | null>`case when ${hasLapsed} then seat_until else coalesce(released_at, revoked_at) end`.as(
                'at',
              ),
            )
            .as('sessions'),
        )
        .where('at', '<=', now)
        .select('how')
        .select(dayOf('at').as('day'))
        .select(isBefore('at', from).as('isBefore'))
        .as('ends'),
    )
    .select(['how', 'day', 'isBefore'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['how', 'day', 'isBefore'])
    .execute()
