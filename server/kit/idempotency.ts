import type { Tx } from '../database/database.ts'
import type { ProblemName } from '../vocabulary/problems.ts'
import { callerId, type RequestContext } from './context.ts'
import { parseExactly } from './decimal.ts'
import { no, yes } from './flags.ts'
import { isAmong, listed } from './listed-values.ts'
import { takeName } from './named-lock.ts'
import { invalid, Problem } from './problem.ts'
import { attempt } from './savepoint.ts'
import type { Sealer } from './sealing.ts'

/** How long an answer is kept for replay. */
const retentionMillis = 24 * 3_600_000
const pruneAtOnce = 200

/** How a recorded operation ended: a refusal is thrown only after the commit that records it. */
export type Settled<T> = { answer: T } | { refusal: Problem }

type Outcome =
  | { answer: unknown }
  | { refusal: { codeName: ProblemName; status: number; detail: string; extensions: Record<string, unknown> } }

/** What is recorded under a key: how it ended, or how far it has come. */
type Stored = Outcome | { progress: unknown }

/** What is asked under a key: `fingerprint` is the digest of its parameters. */
export interface KeyedRequest {
  key: string
  operation: string
  fingerprint: string
  keptWith?: readonly string[] | undefined
}

/** The request's Idempotency-Key, or undefined without one; 1 to 200 characters, once. */
export function readIdempotencyKey(headers: RequestContext['headers']): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length < 1 || key.length > 200)
    throw invalid([{ pointer: 'Idempotency-Key', message: 'must be 1 to 200 characters' }])
  return key
}

/**
 * Runs an operation once per key, in the transaction that also records its outcome: a replay answers what the first
 * answered, a second that arrives while the first is running waits for it, another request under the same key is 409.
 * Only a keyed hash of the `fingerprint` is stored, from which a short secret among
 * them cannot be guessed. A refusal is an outcome too, but one with 400 leaves the key to a request that was put right. A failure
 * of the service and a 429 are none: the request may come again later. A key is its operation's own, and an answer is replayed
 * for a day; but operations that are `keptWith` each other share theirs, and what they answered or refused is replayed for ever,
 * unless it was not found. So it is with all that open a session: a key under which a device was activated is refused, with other
 * parameters, when something is tried under it. What was begun under it is given how far it has come.
 */
export async function runOnce<T>(
  tx: Tx,
  context: RequestContext,
  request: KeyedRequest,
  work: (progress?: unknown) => Promise<T>,
): Promise<Settled<T>> {
  const record = recordOf(context, request)
  if (request.keptWith) {
    await takeName(tx, `idempotency/${record.tenant_id}/${record.caller}/${record.idempotency_key}`)
    await refuseOtherUse(tx, context, record, { operations: request.keptWith, fingerprint: request.fingerprint })
  }
  await prune(tx, context.tenant.id, context.now - retentionMillis)
  const fingerprint = context.sealer.hash(request.fingerprint, placeOf(record))
  let progress: unknown
  while (!(await claim(tx, record, fingerprint, context.now))) {
    const given = await findGiven(tx, context.sealer, record, fingerprint)
    if (!given) continue
    if ('progress' in given) {
      progress = given.progress
      continue
    }
    context.answer.replayed = true
    return unfold<T>(given, { 'idempotency-replayed': 'true' })
  }
  const outcome = toOutcome(await attempt(tx, () => work(progress)))
  await tx
    .updateTable('idempotency_records')
    .set({
      sealed_answer: context.sealer.seal(JSON.stringify(outcome), placeOf(record)),
      recorded_at: context.answer.givenAt ?? context.now,
      is_kept: request.keptWith && isLasting(outcome) ? yes : no,
    })
    .where((eb) => eb.and(record))
    .execute()
  return unfold<T>(outcome)
}

/**
 * How far what is asked under a key has come, where it is done in several transactions; undefined where nothing was done yet,
 * and `ended` where runOnce has the answer, or the refusal of another request.
 */
export async function findProgress<T>(
  tx: Tx,
  context: RequestContext,
  request: KeyedRequest,
): Promise<T | 'ended' | undefined> {
  const record = recordOf(context, request)
  const stored = await tx
    .selectFrom('idempotency_records')
    .select(['fingerprint', 'sealed_answer'])
    .where((eb) => eb.and(record))
    .where((eb) => eb.or([eb('is_kept', '=', yes), eb('recorded_at', '>', context.now - retentionMillis)]))
    .executeTakeFirst()
  if (!stored) return undefined
  const outcome = outcomeOf(stored, context.sealer, record)
  if (isLeft(outcome)) return undefined
  const isSame = stored.fingerprint === context.sealer.hash(request.fingerprint, placeOf(record))
  return isSame && outcome && 'progress' in outcome ? (outcome.progress as T) : 'ended'
}

/**
 * Keeps how far it has come, in the transaction that has brought it there, however long that is: whoever asks again under the
 * key goes on from there.
 */
export async function keepProgress(
  tx: Tx,
  context: RequestContext,
  request: KeyedRequest,
  progress: unknown,
): Promise<void> {
  const record = recordOf(context, request)
  const kept = {
    fingerprint: context.sealer.hash(request.fingerprint, placeOf(record)),
    sealed_answer: context.sealer.seal(JSON.stringify({ progress } satisfies Stored), placeOf(record)),
    recorded_at: context.now,
    is_kept: yes,
  }
  await tx
    .insertInto('idempotency_records')
    .values({ ...record, ...kept })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'caller', 'operation', 'idempotency_key']).doUpdateSet(kept),
    )
    .execute()
}

/**
 * Takes a key that nobody uses, or that was used too long ago to be remembered; answers false for one in use, once whoever uses
 * it is done.
 */
async function claim(tx: Tx, record: Recorded, fingerprint: string, now: number): Promise<boolean> {
  await tx
    .deleteFrom('idempotency_records')
    .where((eb) => eb.and(record))
    .where('recorded_at', '<=', now - retentionMillis)
    .where('is_kept', '=', no)
    .execute()
  const claimed = await tx
    .insertInto('idempotency_records')
    .values({ ...record, fingerprint, sealed_answer: null, recorded_at: now, is_kept: no })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

/**
 * How the request under a key in use ended, or how far it has come: the key is to be had then. So it is where this is undefined,
 * since that was refused with 400 and this one is another, or the key was left meanwhile. Throws for another use of the key,
 * and for an answer that was erased.
 */
async function findGiven(tx: Tx, sealer: Sealer, record: Recorded, fingerprint: string): Promise<Stored | undefined> {
  const stored = await tx
    .selectFrom('idempotency_records')
    .select(['fingerprint', 'sealed_answer'])
    .where((eb) => eb.and(record))
    .executeTakeFirst()
  if (!stored) return undefined
  const outcome = outcomeOf(stored, sealer, record)
  const isSame = stored.fingerprint === fingerprint
  if (!isSame && !isLeft(outcome)) throw conflict()
  const isUnfinished = outcome !== undefined && 'progress' in outcome
  if (!isSame || isUnfinished) {
    await tx
      .deleteFrom('idempotency_records')
      .where((eb) => eb.and(record))
      .where('fingerprint', '=', stored.fingerprint)
      .execute()
    return isUnfinished ? outcome : undefined
  }
  if (!outcome)
    throw new Problem(
      'request.idempotency_conflict',
      'What was answered under this Idempotency-Key was erased with a person; use a new key for a new request.',
    )
  return outcome
}

const outcomeOf = ({ sealed_answer }: { sealed_answer: string | null }, sealer: Sealer, record: Recorded) =>
  sealed_answer === null ? undefined : (parseExactly(sealer.open(sealed_answer, placeOf(record))) as Stored)

const isRefusedWith = (outcome: Stored, statuses: readonly number[]) =>
  'refusal' in outcome && statuses.includes(outcome.refusal.status)

/** Whether the key is free for a request that was put right. */
const isLeft = (outcome: Stored | undefined) => outcome !== undefined && isRefusedWith(outcome, [400])

/** Whether what has come of it stays so: what was not found may be there another day, and anybody may ask for what is not. */
const isLasting = (outcome: Outcome) => !isRefusedWith(outcome, [400, 404])

const conflict = () =>
  new Problem(
    'request.idempotency_conflict',
    'This Idempotency-Key was used with other parameters; use a new key for a new request.',
  )

/** Throws for a key that another of the operations that share it was asked with, with other parameters. */
async function refuseOtherUse(
  tx: Tx,
  { sealer, now }: RequestContext,
  { operation, ...shared }: Recorded,
  asked: { operations: readonly string[]; fingerprint: string },
): Promise<void> {
  const others = asked.operations.filter((name) => name !== operation)
  const stored = await tx
    .selectFrom('idempotency_records')
    .select(['operation', 'fingerprint', 'sealed_answer'])
    .where((eb) => eb.and(shared))
    .where('operation', 'in', others)
    .where((eb) => eb.or([eb('is_kept', '=', yes), eb('recorded_at', '>', now - retentionMillis)]))
    .execute()
  for (const other of stored) {
    const record = { ...shared, operation: other.operation }
    const isSame = other.fingerprint === sealer.hash(asked.fingerprint, placeOf(record))
    if (!isSame && !isLeft(outcomeOf(other, sealer, record))) throw conflict()
  }
}

const recordOf = ({ tenant, caller }: RequestContext, { operation, key }: KeyedRequest): Recorded => ({
  tenant_id: tenant.id,
  caller: callerId(caller),
  operation,
  idempotency_key: key,
})

type Recorded = Record<'tenant_id' | 'caller' | 'operation' | 'idempotency_key', string>

/** What a record's answer is sealed to. */
const placeOf = ({ tenant_id, caller, operation, idempotency_key }: Recorded) =>
  `idempotency/${tenant_id}/${caller}/${operation}/${idempotency_key}`

const openedAtOnce = 500

/**
 * Forgets what these callers asked for, and each answer of the tenant's that `names` says names a person, given its JSON: its
 * key is refused from then on, so that nothing is done twice. What is kept for ever stays.
 */
export async function forgetAnswers(
  tx: Tx,
  { tenantId, sealer }: { tenantId: string; sealer: Sealer },
  callers: readonly string[],
  names: (answer: string) => boolean,
): Promise<void> {
  await tx
    .deleteFrom('idempotency_records')
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'caller', listed(tx, callers)))
    .execute()
  const kept = tx
    .selectFrom('idempotency_records')
    .select(['tenant_id', 'caller', 'operation', 'idempotency_key', 'sealed_answer'])
    .where('tenant_id', '=', tenantId)
    .where('is_kept', '=', no)
    .where('sealed_answer', 'is not', null)
    .orderBy('caller')
    .orderBy('operation')
    .orderBy('idempotency_key')
    .limit(openedAtOnce)
  let rows = await kept.execute()
  while (rows.length > 0) {
    for (const { sealed_answer, ...record } of rows)
      if (names(sealer.open(sealed_answer!, placeOf(record))))
        await tx
          .updateTable('idempotency_records')
          .set({ sealed_answer: null })
          .where((eb) => eb.and(record))
          .execute()
    const { caller, operation, idempotency_key } = rows.at(-1)!
    rows = await kept
      .where((eb) =>
        eb(eb.refTuple('caller', 'operation', 'idempotency_key'), '>', eb.tuple(caller, operation, idempotency_key)),
      )
      .execute()
  }
}

function toOutcome(settled: Settled<unknown>): Outcome {
  if (!('refusal' in settled)) return { answer: settled.answer }
  const { codeName, status, message, extensions } = settled.refusal
  if (status >= 500 || status === 429) throw settled.refusal
  return { refusal: { codeName, status, detail: message, extensions } }
}

const unfold = <T>(outcome: Outcome, headers: Record<string, string> = {}): Settled<T> => {
  if (!('refusal' in outcome)) return { answer: outcome.answer as T }
  const { codeName, detail, status, extensions } = outcome.refusal
  return { refusal: new Problem(codeName, detail, { status, extensions, headers }) }
}

/** Forgets what is past its time: a few of the oldest at each request. */
async function prune(tx: Tx, tenantId: string, before: number): Promise<void> {
  const rows = await tx
    .selectFrom('idempotency_records')
    .select(['tenant_id', 'caller', 'operation', 'idempotency_key'])
    .where('tenant_id', '=', tenantId)
    .where('recorded_at', '<=', before)
    .where('is_kept', '=', no)
    .orderBy('recorded_at')
    .limit(pruneAtOnce)
    // Whoever comes at the same time forgets others, and does not wait.
    .forUpdate()
    .skipLocked()
    .execute()
  if (rows.length > 0)
    await tx
      .deleteFrom('idempotency_records')
      .where((eb) =>
        eb(
          eb.refTuple('tenant_id', 'caller', 'operation', 'idempotency_key'),
          'in',
          rows.map((row) => eb.tuple(row.tenant_id, row.caller, row.operation, row.idempotency_key)),
        ),
      )
      .execute()
}
