import { type Membership, membersAmong } from '../../access/organization-groups/membership.ts'
import { type NamedProduct, productNamesOf } from '../../catalog/products/product-names.ts'
import type { Tx } from '../../database/database.ts'
import { type CodeRow, findCodes, readCodes } from '../../entitlements/activation-codes/lookup.ts'
import { type EntitlementRow, findEntitlements } from '../../entitlements/entitlements/loading.ts'
import { licensePolicyOf } from '../../entitlements/policies/effective.ts'
import { allDone } from '../../kit/compiled-query.ts'
import { storeOf } from '../../kit/records/store.ts'
import { reckonAnew } from '../seating/reckoning.ts'
import { Seats } from '../seating/seats.ts'
import { findLapsedSeats, freeLapsedSeats, lockSeats, type SeatCount } from '../seating/store.ts'
import { groupAskedBy, holderOf, instanceOf } from './activation-decision.ts'
import type { ActivationAsked, Asked } from './asking.ts'
import { findSameDevice, neededOf } from './component-matching.ts'
import { findActivatedWith, fingerprintsOf } from './former-fingerprints.ts'
import { type Granted, grantedBy } from './granted.ts'
import { keepFromChanging } from './keeping.ts'
import type { SessionRow } from './licensed.ts'
import { deviceKey, keyOf, type Scene, SessionsAtHand } from './scene.ts'
import {
  blockedAlikeOn,
  blockedDevices,
  type ComponentsSought,
  openSessionsAlike,
  openSessionsOfDevices,
  type Pair,
  sessionsById,
  sessionsOfFormerDevices,
  trialsAlike,
  trialsOfDevices,
} from './store.ts'

/** Where an activation leads: its code, and the entitlement that it is of. */
interface Aim {
  asked: ActivationAsked
  code: CodeRow | undefined
  granted: Granted
  holder: string
}

/** Entitlements: whose seats are held, and of those whose seats somebody takes or frees. */
export interface SeatsHeld {
  held: ReadonlySet<string>
  wanted: ReadonlySet<string>
}

/**
 * Everything that these operations of one tenant are decided by, in few questions however many they are. The seats of
 * `held` are locked first; on SQLite the transaction holds every seat. What has lapsed is freed of what is `wanted` alone: who is
 * refused changes nobody's seat.
 */
export async function loadScene(
  tx: Tx,
  tenantId: string,
  operations: readonly Asked[],
  now: number,
  { held, wanted }: SeatsHeld,
): Promise<Scene> {
  const holdsAll = storeOf(tx) === 'sqlite'
  const activations = operations.filter((asked) => asked.deed === 'activate')
  const keys = activations.flatMap(({ codeKeys }) => codeKeys ?? [])
  let counts = new Map<string, SeatCount>()
  if (held.size > 0 && !holdsAll) counts = await lockAll(tx, tenantId, { held, wanted }, keys, now)
  let codes = keys.length === 0 ? [] : await findCodes(tx, tenantId, keys)
  const entitlementIds = idsOf([
    ...codes.map((code) => code.entitlement_id),
    ...operations.map(({ entitlementId }) => entitlementId),
  ])
  const rows = await findEntitlements(tx, tenantId, entitlementIds)
  let lapsing: ReadonlySet<string> = new Set()
  if (holdsAll && entitlementIds.length > 0) {
    counts = await lockSeats(tx, tenantId, entitlementIds)
    if (await freeLapsed(tx, tenantId, pick(counts, wanted), rows, now)) {
      codes = await findCodes(tx, tenantId, keys)
      counts = await lockSeats(tx, tenantId, entitlementIds)
    }
    lapsing = await findLapsing(tx, tenantId, counts, wanted, now)
  }
  const entitlements = new Map(rows.map((row) => [row.id, grantedBy(row)]))
  const codesByKey = new Map(codes.map((code) => [code.lookup_key, code]))
  const aims = activations.map((asked) => aimOf(asked, codesByKey, entitlements)).filter((aim) => aim !== undefined)
  const [sessions, products, firstTrials, members] = await allDone([
    loadSessions(tx, tenantId, operations, aims),
    loadProducts(tx, tenantId, operations, entitlements),
    loadFirstTrials(tx, tenantId, aims),
    loadMembers(tx, tenantId, aims),
  ])
  await addChangedTrials(tx, tenantId, firstTrials, aims, sessions)
  const codesById = new Map(codes.map((code) => [code.id, code]))
  const otherIds = idsOf(sessions.map((session) => session.activation_code_id)).filter((id) => !codesById.has(id))
  const atHand = new SessionsAtHand(sessions)
  const strange = aims.filter((aim) => isKnownByComponents(aim) && !atHand.findByDevice(keyOfAim(aim)))
  const [otherCodes, blockedOnes, blockedAlike] = await allDone([
    readCodes(tx, tenantId, otherIds),
    loadBlocked(tx, tenantId, aims, calledOn(operations, sessions), sessions),
    blockedAlikeOn(tx, tenantId, idsOf(strange.map(({ granted }) => granted.row.id))),
  ])
  for (const code of otherCodes) codesById.set(code.id, code)
  return {
    now,
    codesByKey,
    codesById,
    entitlements,
    products,
    begun: [],
    sessions: atHand,
    firstTrials,
    blocked: new Set([...blockedOnes, ...blockedAlike].map((one) => `${one.entitlement_id} ${one.fingerprint}`)),
    blockedAlike: Map.groupBy(blockedAlike, (one) => one.entitlement_id),
    members,
    entitlementSeats: new Seats(new Map([...counts].map(([id, { taken }]) => [id, taken]))),
    codeSeats: new Seats(new Map([...codesById].map(([id, code]) => [id, code.used_activations]))),
    isHeld: (entitlementId) => (holdsAll ? !lapsing.has(entitlementId) : wanted.has(entitlementId)),
  }
}

/** Holds seats, and keeps what they are decided by from changing. */
async function lockAll(
  tx: Tx,
  tenantId: string,
  { held, wanted }: SeatsHeld,
  codeKeys: readonly string[],
  now: number,
) {
  const entitlementIds = [...held]
  const counts = await lockSeats(tx, tenantId, entitlementIds)
  const rows = await keepFromChanging(tx, tenantId, entitlementIds, codeKeys)
  const isFreed = await freeLapsed(tx, tenantId, pick(counts, wanted), rows, now)
  return isFreed ? lockSeats(tx, tenantId, entitlementIds) : counts
}

/** Frees the locked seats that have lapsed by the present policies; answers whether there were any. */
async function freeLapsed(
  tx: Tx,
  tenantId: string,
  counts: ReadonlyMap<string, SeatCount>,
  rows: readonly Pick<EntitlementRow, 'id' | 'license_policy'>[],
  now: number,
): Promise<boolean> {
  if (counts.size === 0) return false
  const changed = rows.filter(({ id }) => counts.get(id)?.is_reckoned === 0)
  await reckonAnew(tx, tenantId, new Map(changed.map((row) => [row.id, licensePolicyOf(row)])))
  return freeLapsedSeats(tx, tenantId, [...counts.keys()], now)
}

const pick = (counts: ReadonlyMap<string, SeatCount>, ids: ReadonlySet<string>) =>
  new Map([...counts].filter(([id]) => ids.has(id)))

/** Which of these have seats that may have lapsed, and are not wanted so far. */
async function findLapsing(
  tx: Tx,
  tenantId: string,
  counts: ReadonlyMap<string, SeatCount>,
  wanted: ReadonlySet<string>,
  now: number,
): Promise<Set<string>> {
  const others = [...counts.keys()].filter((id) => !wanted.has(id))
  const changed = others.filter((id) => counts.get(id)!.is_reckoned === 0)
  return new Set([...changed, ...(others.length === 0 ? [] : await findLapsedSeats(tx, tenantId, others, now))])
}

function aimOf(
  asked: ActivationAsked,
  codesByKey: ReadonlyMap<string, CodeRow>,
  entitlements: ReadonlyMap<string, Granted>,
): Aim | undefined {
  const code = asked.codeKeys?.map((key) => codesByKey.get(key)).find((found) => found !== undefined)
  const granted = entitlements.get(code?.entitlement_id ?? asked.entitlementId ?? '')
  return granted && { asked, code, granted, holder: asked.holder ?? holderOf(code, asked.user?.userId, granted.row.id) }
}

async function loadSessions(tx: Tx, tenantId: string, operations: readonly Asked[], aims: readonly Aim[]) {
  const called = operations.flatMap((asked) => (asked.deed === 'activate' ? [] : [asked.sessionId]))
  const [ofCalls, ofDevices] = await allDone([
    sessionsById(tx, tenantId, idsOf(called)),
    openSessionsOfDevices(tx, tenantId, aims.map(pairOf)),
  ])
  const changing = aims.filter(mayChange)
  const known = new Set(changing.length === 0 ? [] : ofDevices.map(keyOf))
  const strange = changing.filter((aim) => !known.has(keyOfAim(aim)))
  const rows = [...ofCalls, ...ofDevices, ...(await sessionsOfFormerDevices(tx, tenantId, strange.map(pairOf)))]
  for (const [holder, some] of Map.groupBy(strange.filter(isKnownByComponents), (aim) => aim.holder))
    rows.push(...(await openSessionsAlike(tx, tenantId, holder, some.map(soughtBy))))
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** Whether its fingerprint may be another than before. */
const mayChange = ({ granted }: Aim) => granted.license.componentMatchingStrategy !== 'MatchAll'
const isKnownByComponents = (aim: Aim) => mayChange(aim) && aim.asked.components !== null

/** By what a device is known that sends components. */
function soughtBy({ asked, granted }: Aim): ComponentsSought {
  const sent = asked.components!
  return { sent, needed: neededOf(granted.license.componentMatchingStrategy, sent) }
}

const keyOfAim = ({ holder, asked, granted }: Aim) => deviceKey(holder, asked.fingerprint, instanceOf(asked, granted))

const pairOf = ({ holder, asked }: Aim): Pair => [holder, asked.fingerprint]

/** The products of what a token is to be issued for, or a product code is asked of. */
function loadProducts(
  tx: Tx,
  tenantId: string,
  operations: readonly Asked[],
  entitlements: ReadonlyMap<string, Granted>,
): Promise<Map<string, NamedProduct>> {
  const isNamed = operations.some(({ deed }) => deed === 'activate' || deed === 'renew')
  return productNamesOf(tx, tenantId, isNamed ? idsOf([...entitlements.values()].flatMap((one) => one.productIds)) : [])
}

async function loadFirstTrials(tx: Tx, tenantId: string, aims: readonly Aim[]): Promise<Map<string, SessionRow>> {
  const firstTrials = new Map<string, SessionRow>()
  for (const row of await trialsOfDevices(tx, tenantId, aims.filter(givesTrial).map(pairOf))) {
    const key = deviceKey(row.holder, row.fingerprint, '')
    if (!firstTrials.has(key)) firstTrials.set(key, row)
  }
  return firstTrials
}

const givesTrial = ({ code }: Aim) => code?.is_trial_activation === 1

/** Whose trial it is, whichever instance runs. */
const trialKeyOf = ({ holder, asked }: Aim) => deviceKey(holder, asked.fingerprint, '')

/** The trials of devices whose fingerprint is another now: they had this one once, or are known by their components. */
async function addChangedTrials(
  tx: Tx,
  tenantId: string,
  firstTrials: Map<string, SessionRow>,
  aims: readonly Aim[],
  sessions: readonly SessionRow[],
): Promise<void> {
  const strange = aims.filter((aim) => givesTrial(aim) && !firstTrials.has(trialKeyOf(aim)))
  const changed = strange.filter((aim) => {
    const ofHolder = sessions.filter((session) => session.holder === aim.holder && session.is_trial === 1)
    const former = findActivatedWith(aim.asked.fingerprint, ofHolder)
    if (former) firstTrials.set(trialKeyOf(aim), former)
    return !former && isKnownByComponents(aim)
  })
  for (const [holder, some] of Map.groupBy(changed, (aim) => aim.holder)) {
    const trials = await trialsAlike(tx, tenantId, holder, some.map(soughtBy))
    for (const aim of some) {
      const same = findSameDevice(aim.granted.license.componentMatchingStrategy, aim.asked.components!, trials)
      if (same) firstTrials.set(trialKeyOf(aim), same)
    }
  }
}

/** The sessions that want to go on. */
function calledOn(operations: readonly Asked[], sessions: readonly SessionRow[]): SessionRow[] {
  const called = new Set(
    operations.flatMap((asked) => (asked.deed === 'renew' || asked.deed === 'check-in' ? [asked.sessionId] : [])),
  )
  return called.size === 0 ? [] : sessions.filter(({ id }) => called.has(id))
}

function loadBlocked(
  tx: Tx,
  tenantId: string,
  aims: readonly Aim[],
  called: readonly SessionRow[],
  sessions: readonly SessionRow[],
) {
  const changed = sessions.filter((session) => session.former_fingerprints !== null)
  return blockedDevices(tx, tenantId, [
    ...aims.map(({ granted, asked }): Pair => [granted.row.id, asked.fingerprint]),
    ...[...called, ...changed].flatMap((session) =>
      fingerprintsOf(session).map((fingerprint): Pair => [session.entitlement_id, fingerprint]),
    ),
  ])
}

async function loadMembers(tx: Tx, tenantId: string, aims: readonly Aim[]): Promise<Set<string>> {
  const asked = aims.flatMap(({ asked: { user }, code, granted }): Membership[] => {
    const group = groupAskedBy(granted.activation, code)
    return group !== null && user ? [[group, user.userId]] : []
  })
  const found = await membersAmong(tx, tenantId, asked)
  return new Set(found.map(([group, userId]) => `${group} ${userId}`))
}

/** Each once, nulls left out. */
const idsOf = (ids: readonly (string | null | undefined)[]): string[] => [...new Set(ids)].filter((id) => id != null)
