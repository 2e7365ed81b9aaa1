import { sql } from 'kysely'
import type { TObject } from 'typebox'
import type { Tx } from '../database/database.ts'
import { causeOf } from './cause.ts'
import { changedFields } from './changed-fields.ts'
import { allDone, statementOf } from './compiled-query.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { Contract } from './contract.ts'
import { newId } from './ids.ts'
import { shareName, takeName } from './named-lock.ts'
import type { Cause } from './outbox.ts'
import { Problem } from './problem.ts'
import { runLastStatements, storeOf } from './records/store.ts'
import { withoutSecrets } from './withheld-secrets.ts'

type Fields = Record<string, unknown>

/**
 * Where, in the order of text, the actors begin that stand for a person: `session:…` and `user:…`; clients, callbacks and
 * the clock come before. It is no parameter, since the index of these entries alone is used only for the same literal.
 */
export const firstPersonalActor = sql.lit('session:')

/**
 * What was done to which record. `before` is null of one that was made, `after` of one that was deleted; of what was done to
 * a record that cannot be read, `after` is what was asked and answered.
 */
export interface Deed {
  /** The contract's name, or `operator.…` for what is done on the server itself. */
  operation: string
  recordKind: string
  recordId: string | null
  before: object | null
  after: object | null
}

/** How a record is read: the operation that answers it, whose parameters name it. */
interface Reading {
  contract: Contract
  answer: (context: ReadContext, input: Fields) => Promise<unknown>
}

const readings = new Map<string, Reading>()
const operations: Contract[] = []

/** Makes known an operation that changes something: what those beside it answer with tells which record its own is about. */
export function registerOperation(contract: Contract): void {
  operations.push(contract)
}

/**
 * Makes known how a record is read, if that is what the operation does: it is read so before and after it is changed, within
 * the transaction, so that its answer opens none.
 */
export function registerReading(contract: Contract, answer: Reading['answer']): void {
  if (contract.name.endsWith('.get')) readings.set(contract.name, { contract, answer })
}

/** Keeps what somebody did, in the transaction in which it was done: of a change what differs, never a secret. */
export async function recordAudit({ tx, tenantId, now, actor, correlationId }: Cause, deed: Deed): Promise<void> {
  const [before, after] = [deed.before, deed.after].map((document) => withoutSecrets(deed.recordKind, document))
  const kept = before && after ? changedFields(before, after) : { before, after }
  const entry = {
    id: newId(),
    tenant_id: tenantId,
    occurred_at: now,
    actor,
    operation: deed.operation,
    record_kind: deed.recordKind,
    record_id: deed.recordId,
    correlation_id: correlationId,
    before: kept.before && JSON.stringify(kept.before),
    after: kept.after && JSON.stringify(kept.after),
  }
  await runLastStatements(tx, [statementOf(tx.insertInto('audit_entries').values(entry))])
}

/**
 * Does the work of an operation, and keeps who did what to which record. What applications do at run time is not kept, nor,
 * unless it says so itself, what anyone may do; a refusal is thrown, and leaves nothing.
 */
export async function audited<Answer>(
  contract: Contract,
  context: WriteContext,
  input: unknown,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!/^(admin|operational|consumer|webhooks)\./.test(contract.name)) return work()
  const reading = readingOf(contract)
  const place = reading && !contract.isErasing ? placeOf(reading.contract, input as Fields) : undefined
  if (reading && place) return auditedAround(contract, context, { reading, place, input: input as Fields }, work)
  const answer = await work()
  const deed = deedWithoutReading(contract, reading, input as Fields, answer as object | undefined)
  await recordAudit(causeOf(context), contract.isErasing ? { ...deed, before: null, after: null } : told(context, deed))
  return answer
}

/** The same of one record, which is read before and after. */
async function auditedAround<Answer>(
  contract: Contract,
  context: WriteContext,
  { reading, place, input }: { reading: Reading; place: Record<string, string>; input: Fields },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const recordId = Object.values(place).at(-1) ?? null
  const recordKind = kindOf(reading.contract)
  // By its id alone: an offer is reached by two paths.
  await holdRecord(context, recordId ?? recordKind)
  await moveOn(context)
  let before = await read(reading, context, place)
  if (storeOf(context.tx) === 'postgres')
    rereadings.set(context.tx, async () => {
      await moveOn(context)
      before = await read(reading, context, place)
    })
  const answer = await work()
  const answered = contract.answer === reading.contract.answer ? (answer as Fields) : undefined
  const isRecord = answered !== undefined && (answered.id ?? recordId) === recordId
  const after = isRecord ? answered : await read(reading, context, place)
  const deed = { operation: contract.name, recordKind, recordId, before, after }
  await recordAudit(
    causeOf(context),
    told(context, contract.method === 'POST' ? withAsked(contract, input, deed) : deed),
  )
  return answer
}

/** What is done to a record after something else is later, though it was asked before. */
async function moveOn(context: WriteContext): Promise<void> {
  if (context.clock) context.now = Math.max(context.now, await context.clock(context.tx))
}

const rereadings = new WeakMap<Tx, () => Promise<void>>()

/**
 * Has the record that a transaction changes read anew, before anything of it is written: its turn has come, and whoever had the
 * turn before may have changed the record. SQLite's one writer has waited before the first reading.
 */
export async function readAgain(tx: Tx): Promise<void> {
  const reread = rereadings.get(tx)
  rereadings.delete(tx)
  await reread?.()
}

/** A deed with what its operation tells of it beside: of a change where both documents are there. */
function told({ deed: own }: WriteContext, deed: Deed): Deed {
  const { before, after, ...record } = own ?? {}
  return {
    ...deed,
    ...record,
    before: deed.before && { ...deed.before, ...before },
    after: deed.after && { ...deed.after, ...after },
  }
}

/** A change with what it was asked beside the record's own fields, under `asked`; a record that is gone since was deleted. */
function withAsked(contract: Contract, input: Fields, deed: Deed): Deed {
  if (deed.before === null) return deed
  const left = deed.after ?? { ...deed.before, isDeleted: true }
  const names = Object.keys((contract.body as TObject | undefined)?.properties ?? {})
  const asked = names.filter((name) => (input[name] ?? null) !== null && !(name in left))
  return {
    ...deed,
    before: { ...deed.before, asked: {} },
    after: { ...left, asked: Object.fromEntries(asked.map((name) => [name, input[name]])) },
  }
}

/** On PostgreSQL two changes of one record wait for each other before it is read, and for an erasure; SQLite has one writer. */
async function holdRecord({ tx, tenant }: WriteContext, record: string): Promise<void> {
  await allDone([waitForErasures(tx, tenant.id), takeName(tx, `audit/${tenant.id}/${record}`)])
}

/** Has whoever changes records of the tenant wait until the transaction ends, so that nothing is written that was read before an erasure; ask before anything else is locked. */
export const holdAllRecords = (tx: Tx, tenantId: string): Promise<void> => takeName(tx, erasureLock(tenantId))

/** Waits for an erasure that is under way, and has others wait until the transaction ends; ask before any user is kept. */
export const waitForErasures = (tx: Tx, tenantId: string): Promise<void> => shareName(tx, erasureLock(tenantId))

const erasureLock = (tenantId: string) => `erasure/${tenantId}`

/** The record as its own operation answers it; null when there is none. */
async function read({ answer }: Reading, context: WriteContext, place: Fields): Promise<object | null> {
  try {
    const own = { ...context, read: context.tx, answer: { headers: {}, replayed: false } }
    return (await answer(own, place)) as object
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null
    throw error
  }
}

const readingsFound = new Map<string, Reading | undefined>()

function readingOf(contract: Contract): Reading | undefined {
  if (!readingsFound.has(contract.name)) readingsFound.set(contract.name, findReading(contract))
  return readingsFound.get(contract.name)
}

/**
 * How the record is read that an operation changes: by the `get` beside it, or the one that administrators have; else by
 * that of the record around it, where that is what the operation, or one beside it, answers with.
 */
function findReading(contract: Contract): Reading | undefined {
  const [audience, ...words] = contract.name.split('.').slice(0, -1)
  const beside = operations.filter(({ name }) => placeInRouter(name) === placeInRouter(contract.name))
  const answers = new Set([contract, ...beside].map(({ answer }) => answer))
  for (let depth = words.length; depth > 0; depth--) {
    const name = `${words.slice(0, depth).join('.')}.get`
    const found = readings.get(`${audience}.${name}`) ?? readings.get(`admin.${name}`)
    if (found && (depth === words.length || answers.has(found.contract.answer))) return found
  }
  return undefined
}

const placeInRouter = (name: string) => name.slice(0, name.lastIndexOf('.'))

/** The record's path parameters among an operation's input, ids in lower case; undefined when they are not all given. */
function placeOf({ params }: Contract, input: Fields): Record<string, string> | undefined {
  const names = Object.keys(params?.properties ?? {})
  if (!names.every((name) => typeof input[name] === 'string')) return undefined
  return Object.fromEntries(names.map((name) => [name, (input[name] as string).toLowerCase()]))
}

/**
 * What was made, as it was answered with an id; or what was done to a record that cannot be read: as it was asked and
 * answered, beside what its path named.
 */
function deedWithoutReading(
  contract: Contract,
  reading: Reading | undefined,
  input: Fields,
  answer: object = {},
): Deed {
  const [first, ...others] = Object.entries(reading ? {} : (placeOf(contract, input) ?? {}))
  const document = { ...Object.fromEntries(others), ...answer }
  const deed = {
    operation: contract.name,
    recordKind: contract.recordKind ?? kindOf(reading?.contract ?? contract),
    recordId: idOf(answer) ?? first?.[1] ?? idIn(answer),
  }
  if (contract.method === 'DELETE') return { ...deed, before: document, after: {} }
  const isMade = [answer, ...Object.values(answer)].some((record) => idOf(record) !== undefined)
  if (isMade) return { ...deed, before: null, after: document }
  return withAsked(contract, input, { ...deed, before: {}, after: document })
}

/** `admin.entitlements.activationCodes.revoke` is about `entitlements.activationCodes`. */
const kindOf = ({ name, recordKind }: Contract) => recordKind ?? name.split('.').slice(1, -1).join('.')

/** A record's own id. */
function idOf(record: unknown): string | undefined {
  const id = (record as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' ? id : undefined
}

/** The first id of an answer, that of another record or of one in it. */
function idIn(answer: object): string | null {
  for (const [name, value] of Object.entries(answer)) {
    const id = name.endsWith('Id') ? value : idOf(value)
    if (typeof id === 'string') return id
  }
  return null
}
