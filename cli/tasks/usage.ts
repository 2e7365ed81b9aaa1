import type { ChosenEnvironment } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { serverClient } from '../server-client.ts'
import { environmentName } from './compare.ts'
import { openSession } from './licensed-session.ts'

const provision = '/api/v1/provision'
const readScope = 'operational.entitlements:read'

/** How a meter stands: its usage against its limit, and what is left. */
export interface ShownMeter {
  kind: 'Metered' | 'Balance'
  usage: {
    metric: string
    unit: string | null
    usage: number
    limit: number | null
    remaining: number | null
    periodStart: string | null
    periodEnd: string | null
    quotaUsageLevel: string
    suspendedUntilAt: string | null
  }
  consumption: { isUnlimitedCredits?: boolean; unfundedCredits?: number; lastDeposit?: string | null }
}

/** The meter of a metric as the session of a license token sees it. */
export async function showUsageOfSession(
  file: string,
  metric: string,
  named: string | undefined,
): Promise<{ sessionId: string; meters: ShownMeter[] }> {
  const session = await openSession(file, named)
  const path = `${provision}/usage/${encodeURIComponent(session.id)}/${encodeURIComponent(metric)}`
  return duringPhase(`Asking ${session.host}`, async () => {
    const [usage, consumption] = await Promise.all([
      session.call('GET', `${path}/usage`),
      session.call('GET', `${path}/consumption`),
    ])
    const kind = 'isUnlimitedCredits' in consumption ? 'Balance' : 'Metered'
    return { sessionId: session.id, meters: [{ kind, usage, consumption } as ShownMeter] }
  })
}

/** The meters of an entitlement, all or that of one metric. Raises cli.input for a metric that it has not. */
export async function showUsageOfEntitlement(
  environment: ChosenEnvironment,
  id: string,
  metric: string | undefined,
): Promise<{ entitlementId: string; meters: ShownMeter[] }> {
  const { meters } = (await duringPhase(`Reading from ${environmentName(environment)}`, () =>
    serverClient(environment, [readScope]).callRest('GET', `${provision}/operational/entitlements/${id}/usage`),
  )) as { meters: ShownMeter[] }
  const chosen = metric === undefined ? meters : meters.filter(({ usage }) => usage.metric === metric)
  if (metric !== undefined && chosen.length === 0)
    throw new Problem('cli.input', `The entitlement has no metric "${metric}".`, {
      hint: `one of ${meters.map(({ usage }) => usage.metric).join(', ')}`,
    })
  return { entitlementId: id, meters: chosen }
}
