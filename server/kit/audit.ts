import { sql } from 'kysely'
import { causeOf } from './cause.ts'
import { changedFields } from './changed-fields.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { Contract } from './contract.ts'
import { newId } from './ids.ts'
import type { Cause } from './outbox.ts'
import { Problem } from './problem.ts'
import { storeOf } from './records/store.ts'
import { withoutSecrets } from './withheld-secrets.ts'

type Fields = Record<string, unknown>

/** What was done to which record. `before` is null of one that was made, `after` of one that was deleted. */
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
  await tx
    .insertInto('audit_entries')
    .values({
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
    })
    .execute()
}

/**
 * Does the work of an operation, and keeps who did what to which record. What applications do at run time is not kept, nor
 * what anyone may do; a refusal is thrown, and leaves nothing.
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
  if (reading && place) return auditedAround(contract, context, { reading, place }, work)
  const answer = await work()
  const deed = deedWithoutReading(contract, reading, input as Fields, answer)
  await recordAudit(causeOf(context), contract.isErasing ? { ...deed, before: null, after: null } : deed)
  return answer
}

/** The same of one record, which is read before and after. */
async function auditedAround<Answer>(
  contract: Contract,
  context: WriteContext,
  { reading, place }: { reading: Reading; place: Record<string, string> },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const recordId = Object.values(place).at(-1) ?? null
  const recordKind = kindOf(reading.contract)
  await holdRecord(context, `${recordKind}/${recordId}`)
  const before = await read(reading, context, place)
  const answer = await work()
  const readAfter = async () =>
    contract.answer === reading.contract.answer ? (answer as object) : read(reading, context, place)
  const after = contract.method === 'DELETE' ? null : await readAfter()
  await recordAudit(causeOf(context), { operation: contract.name, recordKind, recordId, before, after })
  return answer
}

/** On PostgreSQL two changes of one record wait for each other before it is read; SQLite has one writer. */
async function holdRecord({ tx, tenant }: WriteContext, record: string): Promise<void> {
  if (storeOf(tx) === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`audit/${tenant.id}/${record}`}, 0))`.execute(tx)
}

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
 * that of the record around it, where that is what the operation answers with.
 */
function findReading(contract: Contract): Reading | undefined {
  const [audience, ...words] = contract.name.split('.').slice(0, -1)
  for (let depth = words.length; depth > 0; depth--) {
    const name = `${words.slice(0, depth).join('.')}.get`
    const found = readings.get(`${audience}.${name}`) ?? readings.get(`admin.${name}`)
    if (found && (depth === words.length || found.contract.answer === contract.answer)) return found
  }
  return undefined
}

/** The record's path parameters among an operation's input, ids in lower case; undefined when they are not all given. */
function placeOf({ params }: Contract, input: Fields): Record<string, string> | undefined {
  const names = Object.keys(params?.properties ?? {})
  if (!names.every((name) => typeof input[name] === 'string')) return undefined
  return Object.fromEntries(names.map((name) => [name, (input[name] as string).toLowerCase()]))
}

/** What was made, or done to a record that cannot be read: as the operation answered it, beside what its path named. */
function deedWithoutReading(contract: Contract, reading: Reading | undefined, input: Fields, answer: unknown): Deed {
  const [first, ...others] = Object.entries(reading ? {} : (placeOf(contract, input) ?? {}))
  const document = { ...Object.fromEntries(others), ...(answer as object | undefined) }
  const isDeletion = contract.method === 'DELETE'
  return {
    operation: contract.name,
    recordKind: contract.makes ?? kindOf(reading?.contract ?? contract),
    recordId: first?.[1] ?? idIn(document),
    before: isDeletion ? document : null,
    after: isDeletion ? null : document,
  }
}

/** `admin.entitlements.activationCodes.revoke` is about `entitlements.activationCodes`. */
const kindOf = ({ name }: Contract) => name.split('.').slice(1, -1).join('.')

/** The first id of an answer, its own or that of a record in it. */
function idIn(answer: object): string | null {
  for (const [name, value] of Object.entries(answer)) {
    const id = /^id$|Id$/.test(name) ? value : (value as { id?: unknown } | null)?.id
    if (typeof id === 'string') return id
  }
  return null
}
