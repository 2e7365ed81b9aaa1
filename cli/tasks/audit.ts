import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { duringPhase } from '../progress.ts'
import { fitsName, isOneOf } from '../sieve-terms.ts'
import { actorsOf } from './audit-actors.ts'
import { requireOperation } from './audit-operations.ts'
import { nameAuthors } from './author-names.ts'
import { type AuditEntry, adminClient, listFirst } from './tenant-records.ts'

const readScope = 'admin.audit:read'

/** An entry, and who did it by name. */
export type NamedEntry = AuditEntry & { actorName: string }

/** Which entries are meant; what is absent narrows nothing. */
export interface AuditQuery {
  record?: string | undefined
  /** As it is recorded (`client:ID`, `operator`), an id alone, or the name of a client. */
  actor?: string | undefined
  /** An operation, or `prefix.*`. */
  operation?: string | undefined
  /** Of the request in which it was done. */
  correlationId?: string | undefined
  /** Done at this instant or later. */
  since?: string | undefined
}

/**
 * The entries that are meant, the latest first, at most `limit` of them, and how many there are. Raises cli.usage for an
 * actor or an operation that is none.
 */
export async function listAudit(
  environment: ChosenEnvironment,
  query: AuditQuery,
  limit: number,
): Promise<{ items: NamedEntry[]; total: number }> {
  const filter = await filterOf(environment, query)
  const { items, total } = await duringPhase(`Reading from ${environmentName(environment)}`, () => {
    const { list } = adminClient(environment, readScope).audit
    return listFirst(limit, (page) => list.query({ ...(filter && { filter }), ...page }))
  })
  if (total === 0 && query.operation !== undefined) await requireOperation(environment, query.operation)
  return { items: await named(environment, items), total }
}

/** One entry. */
export async function getAuditEntry(environment: ChosenEnvironment, id: string): Promise<NamedEntry> {
  const entry = await duringPhase(`Reading from ${environmentName(environment)}`, () =>
    adminClient(environment, readScope).audit.get.query({ id }),
  )
  return (await named(environment, [entry]))[0]!
}

async function named(environment: ChosenEnvironment, entries: readonly AuditEntry[]): Promise<NamedEntry[]> {
  const nameOf = await nameAuthors(
    environment,
    entries.map(({ actor }) => actor),
  )
  return entries.map((entry) => ({ ...entry, actorName: nameOf(entry.actor) }))
}

async function filterOf(environment: ChosenEnvironment, query: AuditQuery): Promise<string> {
  const { record, actor, operation, correlationId, since } = query
  return [
    record && isOneOf('recordId', [record]),
    actor && isOneOf('actor', await actorsOf(environment, actor)),
    operation && fitsName('operation', operation),
    correlationId && isOneOf('correlationId', [correlationId]),
    since && `occurredAt>=${since}`,
  ]
    .filter(Boolean)
    .join(',')
}
