import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { openSession } from './licensed-session.ts'
import { type LedgerEntry, listFirst, type Meter, operationalClient } from './tenant-records.ts'

const readScope = 'operational.entitlements:read'

/** How a meter stands: its usage against its limit, and what is left. */
export type ShownMeter = Pick<Meter, 'kind' | 'usage' | 'consumption'>

/** The meter of a metric as the session of a license token sees it. */
export async function showUsageOfSession(
  file: string,
  metric: string,
  named: string | undefined,
): Promise<{ sessionId: string; meters: ShownMeter[] }> {
  const session = await openSession(file, named)
  const path = `/api/v1/provision/usage/${encodeURIComponent(session.id)}/${encodeURIComponent(metric)}`
  return duringPhase(`Asking ${session.host}`, async () => {
    const [usage, consumption] = await Promise.all([
      session.call('GET', `${path}/usage`),
      session.call('GET', `${path}/consumption`),
    ])
    if (!('periodStart' in usage && 'remaining' in consumption))
      throw new Problem('cli.unreadable_answer', 'The server answered without saying how the meter stands.')
    const kind = 'isUnlimitedCredits' in consumption ? 'Balance' : 'Metered'
    return { sessionId: session.id, meters: [{ kind, usage, consumption } as ShownMeter] }
  })
}

/** The meters of an entitlement, all or those of one metric. Raises cli.input for a metric that it has not. */
export async function showUsageOfEntitlement(
  environment: ChosenEnvironment,
  id: string,
  metric: string | undefined,
): Promise<{ entitlementId: string; meters: Meter[] }> {
  const { meters } = await duringPhase(`Reading from ${environmentName(environment)}`, () =>
    operationalClient(environment, readScope).entitlements.usage.query({ id, metric }),
  )
  if (metric === undefined || meters.length > 0) return { entitlementId: id, meters }
  throw new Problem('cli.input', `The entitlement has no metric "${metric}".`, {
    hint: 'without --metric all of them are shown; a metric name is lowercase, and no feature code',
  })
}

/** The latest movements of a balance, at most `limit` of them, the newest first, and how many there are. */
export const showLedger = (
  environment: ChosenEnvironment,
  id: string,
  metric: string,
  limit: number,
): Promise<{ items: LedgerEntry[]; total: number }> =>
  duringPhase(`Reading from ${environmentName(environment)}`, () => {
    const { ledger } = operationalClient(environment, readScope).entitlements.balances
    return listFirst(limit, (page) => ledger.query({ id, metric, ...page }))
  })
