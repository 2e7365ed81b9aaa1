import { setImmediate } from 'node:timers/promises'
import type { Offer, OfferItem } from '../../catalog-schema/offer.ts'
import { type ImportPlan, planImport } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { findGroups, keepGroup } from '../access/organization-groups/names.ts'
import { lockCatalog, moveRevision } from '../catalog/records/revision.ts'
import type { Database, Readable, Tx } from '../database/database.ts'
import type { Statement } from '../kit/compiled-query.ts'
import { newId } from '../kit/ids.ts'
import { Problem } from '../kit/problem.ts'
import type { Stamp } from '../kit/records/stamp.ts'
import { runLastStatements } from '../kit/records/store.ts'
import type { ProblemName } from '../vocabulary/problems.ts'
import { countAffected } from './affects.ts'
import { baselineAfter, isBaseline } from './baseline.ts'
import { compressJson } from './compressed-json.ts'
import { type Environment, loadEnvironment, spendEnvironment } from './environment.ts'
import { type ImportRecord, snapshotBefore } from './history.ts'
import { reportOf } from './report.ts'
import { planWriting } from './writing.ts'

/** A snapshot held against the environment it would be imported into: the one decision that compare shows and import writes. */
export interface Rehearsal {
  environment: Environment
  plan: ImportPlan
}

/** Sees the plan that is about to be written, or refused for its errors, and may refuse it for another reason. */
export type Guard = (rehearsal: Rehearsal, tx: Tx) => Promise<void>

/** Decides what an import of a snapshot in this server's format would do; reads only. */
export async function rehearse(readable: Readable, tenantId: string, snapshot: Snapshot): Promise<Rehearsal> {
  const environment = await loadEnvironment(readable, tenantId)
  // What the snapshot says of its references is for people: here everything named must really be there.
  const { references: _references, ...items } = snapshot
  await knowGroups(readable, tenantId, environment, (items.entitlementOffers ?? []).flatMap(groupAskedFor))
  return { environment, plan: planImport(environment.model, items) }
}

/** Makes the organization groups known that may be named: those of these names as they are now, and those that offers ask for already. */
async function knowGroups(
  readable: Readable,
  tenantId: string,
  { model, names, groups }: Environment,
  asked: string[],
) {
  const found = await findGroups(readable, tenantId, 'name', asked)
  for (const { id, name } of found) names.addGroup(id, name)
  model.declareGroups([...groups, ...found.map(({ name }) => name)])
}

const groupAskedFor = ({ activationPolicy }: Pick<OfferItem, 'activationPolicy'>) =>
  activationPolicy?.requireOrganizationGroupMember ?? []

/** Refuses a snapshot that cannot be imported, with the first error's code and every error. */
function refuseErrors({ errors }: ImportPlan): void {
  const first = errors[0]
  if (!first) return
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  throw new Problem(first.codeName as ProblemName, `${first.key}${first.path}: ${first.message}${more}`, {
    status: 400,
    extensions: {
      errors: errors.map(({ key, path, code, codeName, message }) => ({
        key,
        path,
        pointer: path,
        code,
        codeName,
        message,
      })),
    },
  })
}

/** A rehearsal with what writes it and with all that will be told and kept of it: on SQLite made before the one writer is asked for, on PostgreSQL while the statements that are made already run. */
export interface PreparedImport extends Rehearsal {
  /** The statements that write it, kind by kind, parents first; asked for anew by each try of a transaction that met a deadlock. */
  statements: () => AsyncIterable<Statement[]> | Iterable<Statement[]>
  record: () => Promise<ImportRecord>
}

/** Prepares what an import will write, answer and record. */
export async function prepareImport(
  readable: Readable,
  rehearsal: Rehearsal,
  stamp: Stamp,
  sourceTenantId: string | null,
  store: Database['kind'],
): Promise<PreparedImport> {
  const { environment, plan } = rehearsal
  const none = { ...rehearsal, statements: () => [], record: () => Promise.reject(new Error('the import is refused')) }
  if (plan.errors.length > 0) return none
  const isChange = plan.items.some(({ action }) => action !== 'unchanged')
  const affected = await countAffected(readable, stamp.tenantId, environment, plan.items)
  const isKept = !isChange && (await isBaseline(readable, stamp.tenantId, environment.revision))
  const record = async (): Promise<ImportRecord> => {
    // Each is compressed on another thread, while the next is made on this one.
    const baseline = isKept ? null : baselineAfter(rehearsal)
    const before = compressJson(snapshotBefore(plan, stamp))
    const revisionAfter = environment.revision + (isChange ? 1 : 0)
    const report = reportOf(plan, {
      at: stamp.now,
      sourceTenantId,
      targetTenantId: stamp.tenantId,
      environmentRevision: String(revisionAfter),
      affected,
    })
    const kept = { report: await compressJson(report), before: await before }
    const revisions = { revisionBefore: environment.revision, revisionAfter }
    return { importId: newId(), ...revisions, report, kept, baseline: await baseline }
  }
  if (isChange) spendEnvironment(environment)
  const statements = () => (isChange ? planWriting(readable, environment, plan.items, stamp, store) : [])
  if (store === 'postgres') return { ...rehearsal, statements, record }
  const made: Statement[][] = []
  for await (const some of statements()) made.push(some)
  const recorded = await record()
  return { ...rehearsal, statements: () => made, record: async () => recorded }
}

/** Keeps the organization groups that the written offers ask for; answers whether all are still there, and called so. */
async function keepGroups(tx: Tx, tenantId: string, { environment, plan }: Rehearsal): Promise<boolean> {
  const written = plan.items.filter(({ kind, action }) => kind === 'entitlementOffer' && action !== 'unchanged')
  const asked = new Set(written.flatMap(({ after }) => groupAskedFor(after as Offer)))
  const groups = [...asked].map((name) => ({ id: environment.names.groupId(name), name }))
  for (const group of groups.sort((a, b) => (a.id < b.id ? -1 : 1)))
    if (!(await keepGroup(tx, tenantId, group))) return false
  return true
}

/** That the catalog has moved on since an import was prepared: it is to be prepared anew. */
export class CatalogMoved extends Error {}

/**
 * Writes a prepared import, all of it: the catalog is locked first, and when it has moved since, `prepare` makes it anew
 * under the lock, or throws CatalogMoved, as this does when a group that an offer asks for is no longer there or called otherwise.
 * `guard` is shown what is to be imported first, since what moved may be why it no longer can be. Answers the record of what was
 * written.
 */
export async function writeImport(
  tx: Tx,
  stamp: Stamp,
  prepared: PreparedImport,
  prepare: (tx: Tx) => Promise<PreparedImport>,
  guard: Guard,
): Promise<ImportRecord> {
  const revision = await lockCatalog(tx, stamp.tenantId)
  const current = revision === prepared.environment.revision ? prepared : await prepare(tx)
  await guard(current, tx)
  refuseErrors(current.plan)
  if (!(await keepGroups(tx, stamp.tenantId, current))) throw new CatalogMoved('an organization group was given up')
  for await (const statements of current.statements()) {
    await runLastStatements(tx, statements)
    // They go out before the next are made.
    await setImmediate()
  }
  const record = await current.record()
  if (record.revisionAfter !== record.revisionBefore) await moveRevision(tx, stamp.tenantId)
  return record
}
