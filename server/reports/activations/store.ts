import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'

/** A day of the UTC calendar, counted since 1970. */
const dayOf = (column: string) => sql<number>`${sql.ref(column)} / 86400000`

/** The sessions of the tenant that were activated by `now` (milliseconds), by the day of that. */
export const countActivations = (read: Readable, tenantId: string, now: number) =>
  read
    .selectFrom('license_sessions')
    .where('tenant_id', '=', tenantId)
    .where('activated_at', '<=', now)
    .select(dayOf('activated_at').as('day'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(dayOf('activated_at'))
    .execute()

/** Whether the seat came free with time, before anybody gave it back or took it away. */
const hasLapsed = sql`seat_until <= coalesce(released_at, revoked_at, seat_until)`

/** The sessions that ceased to hold a seat by `now`, by the day of that and how it came: released, revoked, or with time. */
export const countSeatEnds = (read: Readable, tenantId: string, now: number) =>
  read
    .selectFrom((eb) =>
      eb
        .selectFrom('license_sessions')
        .where('tenant_id', '=', tenantId)
        .where('activated_at', '<=', now)
        .select(
          sql<'released' | 'revoked' | 'lapsed'>`case when ${hasLapsed} then 'lapsed'
when released_at is not null then 'released' else 'revoked' end`.as('how'),
        )
        .select(
          sql<number | null>`case when ${hasLapsed} then seat_until else coalesce(released_at, revoked_at) end`.as(
            'at',
          ),
        )
        .as('ends'),
    )
    .where('at', '<=', now)
    .select('how')
    .select(dayOf('at').as('day'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['how', dayOf('at')])
    .execute()
