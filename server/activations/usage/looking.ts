import type { Database } from '../../database/database.ts'
import { gatheringFor } from '../../kit/gathering.ts'
import type { Problem } from '../../kit/problem.ts'
import type { Course } from '../../metering/consumption/course.ts'
import { settledCourses } from '../../metering/consumption/standing.ts'
import { standingsOf } from './standing.ts'

/** Who looks at the meters of its entitlement, and when (milliseconds). */
interface Look {
  tenantId: string
  sessionId: string
  entitlementId: string
  now: number
}

type Seen = { course: Course } | { refusal: Problem }

/** SQLite reads in this thread; on PostgreSQL one look's round trips are the next one's time. */
const lookGathered = gatheringFor({ sqlite: 1, postgres: 4 }, lookTogether)

/**
 * The meters of a session's entitlement as they stand now, read in few questions with those that others look at in the same
 * moment; nothing is written. Throws why the session may use nothing.
 */
export async function lookAt(database: Database, look: Look): Promise<Course> {
  const seen = await lookGathered(database, look)
  if ('refusal' in seen) throw seen.refusal
  return seen.course
}

async function lookTogether({ read }: Database, looks: readonly Look[]): Promise<Seen[]> {
  const seen = new Map<Look, Seen>()
  for (const [tenantId, some] of Map.groupBy(looks, (look) => look.tenantId)) {
    const now = Math.max(...some.map((look) => look.now))
    const entitlementIds = [...new Set(some.map(({ entitlementId }) => entitlementId))]
    const [standings, courses] = await Promise.all([
      standingsOf(read, tenantId, some, now),
      settledCourses(read, tenantId, entitlementIds, now),
    ])
    for (const look of some) {
      const refusal = standings.get(look.sessionId)?.refusal
      seen.set(look, refusal ? { refusal } : { course: courses.get(look.entitlementId)! })
    }
  }
  return looks.map((look) => seen.get(look)!)
}
