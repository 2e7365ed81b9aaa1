import type { Tx } from '../../database/database.ts'
import { type DecisionRow, deviceLookupOf, findDecisions, type HoldRow, lookupOf } from './decided-store.ts'
import type { Operation } from './operation.ts'

/** Of which device sessions are, by their ids. */
export type Devices = ReadonlyMap<string, string>

/** Who knows of which devices these sessions of the tenant's are. */
export type FindDevices = (tx: Tx, tenantId: string, sessionIds: readonly string[]) => Promise<Devices>

type Decided = Pick<DecisionRow, 'asked' | 'answer' | 'lookup'>

/** What was asked, by which a replay is told from another request; null in place of what was erased. */
export type Asked = [deed: string, sessionId: string, metric: string, amount: string, holdsFor: string | null]
export const readAsked = ({ asked }: Pick<DecisionRow, 'asked'>) => JSON.parse(asked) as Asked | []

/**
 * The devices of the sessions that come upon a key or a hold of another session, in what was decided or in these operations,
 * and what was decided for those devices under such keys of their own. Mostly there are none, and nothing is asked.
 */
export async function findAskers(
  tx: Tx,
  tenantId: string,
  operations: readonly Operation[],
  { decided, holds }: { decided: readonly Decided[]; holds: readonly HoldRow[] },
  findDevices: FindDevices,
): Promise<{ devices: Devices; ofDevices: Decided[] }> {
  const sessions = new Map<string, Set<string | undefined>>()
  const meet = (at: string, sessionId: string | undefined) => {
    const met = sessions.get(at)
    if (met) met.add(sessionId)
    else sessions.set(at, new Set([sessionId]))
  }
  for (const row of decided) meet(row.lookup, readAsked(row)[1])
  for (const row of holds) meet(row.id, row.session_id)
  for (const operation of operations) meet(placeOf(operation), operation.sessionId)
  const strangers = new Set([...sessions.values()].filter(({ size }) => size > 1).flatMap((some) => [...some]))
  const ids = [...strangers].filter((id) => id !== undefined)
  if (ids.length === 0) return { devices: new Map(), ofDevices: [] }
  const devices = await findDevices(tx, tenantId, ids)
  const lookups = operations.flatMap((one) => {
    const isMet = 'key' in one && strangers.has(one.sessionId)
    return isMet ? [deviceLookupOf(one.entitlementId, one.key, devices.get(one.sessionId) ?? one.sessionId)] : []
  })
  return { devices, ofDevices: await findDecisions(tx, tenantId, lookups) }
}

const placeOf = (operation: Operation) =>
  'key' in operation ? lookupOf(operation.entitlementId, operation.key) : operation.holdId

/** Whether two sessions are one or of one device: whoever is activated again is the same asker. */
export function isSameAsker(devices: Devices, one: string | undefined, other: string): boolean {
  return one === other || (one !== undefined && devices.has(one) && devices.get(one) === devices.get(other))
}
