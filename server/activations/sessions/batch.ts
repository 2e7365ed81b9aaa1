import { keepVerifying } from '../../access/signing-keys/signed-until.ts'
import { type CurrentSigner, getCurrentSigner, type Signer } from '../../access/signing-keys/signer.ts'
import { keepUsers } from '../../access/users/keeping.ts'
import type { Tx } from '../../database/database.ts'
import { codeTextOf } from '../../entitlements/activation-codes/code-text.ts'
import { beginTrial } from '../../entitlements/life/beginning.ts'
import { refusalOf } from '../../entitlements/life/standing.ts'
import type { SeatPolicy } from '../../entitlements/seats/holding.ts'
import { causeOf } from '../../kit/cause.ts'
import { allDone } from '../../kit/compiled-query.ts'
import type { RequestContext } from '../../kit/context.ts'
import type { Problem } from '../../kit/problem.ts'
import { actorOf } from '../../kit/procedure.ts'
import { isDuplicate, storeOf } from '../../kit/records/store.ts'
import { convertTries } from '../anonymous-try/converting.ts'
import { lockSeats, recordSeats } from '../seating/store.ts'
import { decideActivation } from './activation-decision.ts'
import type { Asked } from './asking.ts'
import type { Decision } from './decision.ts'
import { arePoliciesAsRead, keepFromChanging } from './keeping.ts'
import type { Licensed, SessionRow } from './licensed.ts'
import { loadScene } from './loading.ts'
import type { Scene } from './scene.ts'
import { decideSessionCall } from './session-decision.ts'
import { insertSessions, lockSessions, updateSessions } from './store.ts'

/** An operation with the request that it came in. */
export interface Operation {
  context: RequestContext
  asked: Asked
}

/** What came of an operation that was not refused. */
export interface Done extends Licensed {
  /** Whether the entitlement may be used now. */
  isEntitlementGood: boolean
  /** How its seats are held; undefined when the entitlement is gone. */
  seatPolicy: SeatPolicy | undefined
  /** Signs the tenant's tokens now; of an activation or a renewal. */
  signer: Signer | undefined
  now: number
}

export type Outcome = { done: Done } | { refusal: Problem }

/** Sessions changed between reading and writing them: another transaction was there first. */
export class Overtaken extends Error {
  readonly tenantId: string
  readonly sessions: readonly SessionRow[]

  constructor(tenantId: string, sessions: readonly SessionRow[], options?: ErrorOptions) {
    super('a session is no longer as it was read', options)
    this.tenantId = tenantId
    this.sessions = sessions
  }
}

/** Nobody changes the sessions that something was overtaken on until the transaction ends: it is done again then, and for good. */
export async function holdSessions(tx: Tx, { tenantId, sessions }: Overtaken): Promise<void> {
  const entitlementIds = [...new Set(sessions.map((session) => session.entitlement_id))]
  // In the order in which all lock them.
  await lockSeats(tx, tenantId, entitlementIds)
  if (storeOf(tx) === 'postgres') await keepFromChanging(tx, tenantId, entitlementIds, [])
  const ids = sessions.map(({ id }) => id)
  await lockSessions(tx, tenantId, ids)
}

/** Decides operations and writes what comes of them, all in this transaction; an outcome for each, in their order. */
export async function settle(tx: Tx, operations: readonly Operation[]): Promise<Outcome[]> {
  const outcomes = new Array<Outcome>(operations.length)
  const tenants = [...new Set(operations.map(({ context }) => context.tenant.id))].sort()
  for (const tenantId of tenants) {
    const places = operations.flatMap(({ context }, place) => (context.tenant.id === tenantId ? [place] : []))
    const settled = await settleTenant(
      tx,
      tenantId,
      places.map((place) => operations[place]!),
    )
    for (const [index, place] of places.entries()) outcomes[place] = settled[index]!
  }
  return outcomes
}

async function settleTenant(tx: Tx, tenantId: string, operations: readonly Operation[]): Promise<Outcome[]> {
  const now = Math.max(...operations.map(({ context }) => context.now))
  const users = operations.flatMap(({ asked }) => (asked.deed === 'activate' && asked.user ? [asked.user.userId] : []))
  if (users.length > 0) await keepUsers(tx, tenantId, users)
  const { sealer } = operations[0]!.context
  const isLicensed = operations.some(({ asked }) => asked.deed === 'activate' || asked.deed === 'renew')
  const [{ scene, decisions }, signer] = await allDone([
    decideAll(tx, tenantId, operations, now),
    isLicensed ? getCurrentSigner(tx, sealer, tenantId, 'token') : undefined,
  ])
  await write(tx, tenantId, scene)
  await tell(tx, scene, operations, decisions)
  if (signer) await keepGood(tx, tenantId, signer, scene, now)
  return decisions.map((decision, index) =>
    'refusal' in decision
      ? { refusal: decision.refusal }
      : { done: doneOf(scene, decision.session, operations[index]!, signer) },
  )
}

/** The key goes on verifying as long as the longest of the tokens of these sessions is good. */
async function keepGood(tx: Tx, tenantId: string, signer: CurrentSigner, scene: Scene, now: number): Promise<void> {
  const { added, changed } = scene.sessions.changes()
  const ends = [...added, ...changed.map(({ row }) => row)].map((session) => session.grace_expires_at)
  await keepVerifying(tx, tenantId, signer, Math.max(0, ...ends), now)
}

/** Decides on what is read first; once more, with seats held, when some of the operations take or free seats. */
async function decideAll(tx: Tx, tenantId: string, operations: readonly Operation[], now: number) {
  const [held, wanted] = [new Set<string>(), new Set<string>()]
  for (;;) {
    const asked = operations.map((operation) => operation.asked)
    const scene = await loadScene(tx, tenantId, asked, now, { held, wanted })
    const before = wanted.size
    const decisions: Decision[] = []
    for (const one of asked) {
      const decision = one.deed === 'activate' ? decideActivation(scene, one) : decideSessionCall(scene, one)
      if ('wants' in decision) wanted.add(decision.wants)
      else decisions.push(decision)
    }
    if (wanted.size === before) return { scene, decisions }
    // All at once, in the order of their ids: another pass may want more, and would wait for who has those and wants these.
    for (const id of [...scene.entitlements.keys(), ...wanted]) held.add(id)
  }
}

async function write(tx: Tx, tenantId: string, scene: Scene): Promise<void> {
  const { added, changed } = scene.sessions.changes()
  const overtaken = (cause?: unknown) => {
    const sessions = changed.map(({ before }) => before)
    return new Overtaken(tenantId, sessions, { cause })
  }
  try {
    if (!(await updateSessions(tx, tenantId, changed))) throw overtaken()
    const reckoned = changed.filter(({ row, before }) => row.seat_until !== before.seat_until)
    const read = reckoned.flatMap(({ row }) => scene.entitlements.get(row.entitlement_id)?.row ?? [])
    if (storeOf(tx) === 'postgres' && read.length > 0 && !(await arePoliciesAsRead(tx, tenantId, read)))
      throw overtaken()
    await insertSessions(tx, added)
  } catch (error) {
    // Another transaction has given a session of its own to a device that comes with the same fingerprint.
    throw storeOf(tx) === 'postgres' && isDuplicate(error) ? overtaken(error) : error
  }
  await recordSeats(tx, tenantId, {
    byEntitlement: scene.entitlementSeats.changes(),
    byCode: scene.codeSeats.changes(),
  })
}

/** Writes what comes of it for entitlements, each as of the request that brought it about. */
async function tell(
  tx: Tx,
  scene: Scene,
  operations: readonly Operation[],
  decisions: readonly Decision[],
): Promise<void> {
  const causeIn = ({ context }: Operation) => causeOf({ ...context, tx, now: scene.now, actor: actorOf(context) })
  for (const { row, asked } of scene.begun.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1)))
    await beginTrial(causeIn(operations.find((one) => one.asked === asked)!), row)
  const activated = scene.sessions.changes().added.map((session) => {
    const first = decisions.findIndex((decision) => 'session' in decision && decision.session.id === session.id)
    const entitlement = scene.entitlements.get(session.entitlement_id)!.row
    return { session, entitlement, cause: causeIn(operations[first]!) }
  })
  if (activated.length > 0) await convertTries(activated)
}

/** What is answered of a session as it stood when the operation was decided, whatever others of the batch have made of it since. */
function doneOf(scene: Scene, decided: SessionRow, { context, asked }: Operation, signer: Signer | undefined): Done {
  // Of the fingerprints that the session is known by, the one that was shown.
  const session = { ...decided, fingerprint: asked.fingerprint ?? decided.fingerprint }
  const granted = scene.entitlements.get(session.entitlement_id)
  const code = session.activation_code_id === null ? undefined : scene.codesById.get(session.activation_code_id)
  return {
    session,
    entitlement: granted?.licensed ?? goneEntitlement(session.entitlement_id),
    products: (granted?.productIds ?? [])
      .map((id) => scene.products.get(id))
      .filter((product) => product !== undefined),
    activationCode: code ? codeTextOf(context.sealer, code) : null,
    isEntitlementGood: granted !== undefined && refusalOf(granted.row, scene.now) === undefined,
    seatPolicy: granted?.license,
    signer,
    now: scene.now,
  }
}

/** Only a release is answered of an entitlement that is gone. */
const goneEntitlement = (id: string) => ({
  ...{ id, name: null, version: null, legalNoticeHtml: null, licenseKey: null },
  features: [],
})
