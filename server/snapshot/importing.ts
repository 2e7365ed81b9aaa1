import type { Kind } from '../../catalog-schema/order.ts'
import { kinds } from '../../catalog-schema/order.ts'
import { type ImportPlan, type PlannedItem, planImport } from '../../catalog-schema/plan.ts'
import { formatVersion, type Snapshot } from '../../catalog-schema/snapshot.ts'
import { lockCatalog, moveRevision } from '../catalog/records/revision.ts'
import type { Stamp } from '../catalog/records/stamp.ts'
import type { Tx } from '../database/database.ts'
import { newId } from '../kit/ids.ts'
import { Problem } from '../kit/problem.ts'
import type { ProblemName } from '../vocabulary/problems.ts'
import { type Environment, loadEnvironment, spendEnvironment } from './environment.ts'
import { type ImportRecord, snapshotBefore } from './history.ts'
import { reportOf } from './report.ts'
import { writeItems } from './rooms.ts'

/** A snapshot held against the environment it would be imported into: the one decision that compare shows and import writes. */
export interface Rehearsal {
  environment: Environment
  plan: ImportPlan
}

/** Sees the plan that is about to be written, and may refuse it. */
export type Guard = (rehearsal: Rehearsal, tx: Tx) => Promise<void>

/** Decides what an import would do; reads only. Throws catalog.format_version for a format this server does not read. */
export async function rehearse(
  readable: Parameters<typeof loadEnvironment>[0],
  tenantId: string,
  snapshot: Snapshot,
): Promise<Rehearsal> {
  if (snapshot.formatVersion !== formatVersion)
    throw new Problem(
      'catalog.format_version',
      `This server reads formatVersion "${formatVersion}", not "${snapshot.formatVersion}".`,
    )
  const environment = await loadEnvironment(readable, tenantId)
  // What the snapshot says of its references is for people: here everything named must really be there.
  const { references: _references, ...items } = snapshot
  return { environment, plan: planImport(environment.model, items) }
}

/** Refuses a snapshot that cannot be imported, with the first error's code and every error. */
export function refuseErrors({ errors }: ImportPlan): void {
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

/** A rehearsal with all that will be told and kept of it once it is written, so that no writer waits while it is put together. */
export type PreparedImport = Rehearsal & ImportRecord

/** Prepares what an import will answer and record. */
export function prepareImport(
  { environment, plan }: Rehearsal,
  stamp: Stamp,
  sourceTenantId: string | null,
): PreparedImport {
  const isChange = plan.items.some(({ action }) => action !== 'unchanged')
  const revisionAfter = environment.revision + (isChange ? 1 : 0)
  const report = reportOf(plan, {
    at: stamp.now,
    sourceTenantId,
    targetTenantId: stamp.tenantId,
    environmentRevision: String(revisionAfter),
  })
  const kept = { report: JSON.stringify(report), before: JSON.stringify(snapshotBefore(plan, stamp)) }
  return { environment, plan, importId: newId(), revisionAfter, report, kept }
}

/**
 * Writes a prepared import, all of it: the catalog is locked first, and when it has moved since, `prepare` makes it anew
 * under the lock. `guard` sees what is about to be written and may refuse it. Answers what was written.
 */
export async function writeImport(
  tx: Tx,
  stamp: Stamp,
  prepared: PreparedImport,
  prepare: (tx: Tx) => Promise<PreparedImport>,
  guard: Guard,
): Promise<PreparedImport> {
  const revision = await lockCatalog(tx, stamp.tenantId)
  const current = revision === prepared.environment.revision ? prepared : await prepare(tx)
  await guard(current, tx)
  refuseErrors(current.plan)
  const changed = current.plan.items.filter(({ action }) => action !== 'unchanged')
  if (changed.length === 0) return current
  spendEnvironment(current.environment)
  for (const kind of kinds) await writeKind(tx, stamp, kind, changed, current.environment)
  await moveRevision(tx, stamp.tenantId)
  return current
}

async function writeKind(
  tx: Tx,
  stamp: Stamp,
  kind: Kind,
  changed: readonly PlannedItem[],
  { names, held }: Environment,
) {
  const items = changed
    .filter((planned) => planned.kind === kind)
    .map(({ key, before, after }) => {
      const record = before === undefined ? undefined : held(kind, key)
      return { id: record?.row.id ?? newId(), held: record, item: after }
    })
  if (items.length > 0) await writeItems(tx, kind, items, names, stamp)
}
