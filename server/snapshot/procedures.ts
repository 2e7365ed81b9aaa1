import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import type { Readable, Tx } from '../database/database.ts'
import { digestOf } from '../kit/canonical-json.ts'
import type { RequestContext } from '../kit/context.ts'
import { readIdempotencyKey, runOnce, type Settled } from '../kit/idempotency.ts'
import { Problem } from '../kit/problem.ts'
import { actorOf, query, router, task } from '../kit/procedure.ts'
import { countAffected } from './affects.ts'
import { parseCompressed } from './compressed-json.ts'
import {
  applyCatalog,
  compareCatalog,
  driftOfCatalog,
  exportCatalog,
  getImport,
  getImportBefore,
  importCatalog,
  listImports,
} from './contract.ts'
import { readDrift } from './drift.ts'
import { loadEnvironment } from './environment.ts'
import { exportSnapshot, readSections } from './export.ts'
import { nameFormerGroups, nameGroupsOfReport } from './former-groups.ts'
import { getImportRow, importToWire, listImportRows, recordImport } from './history.ts'
import { CatalogMoved, type Guard, prepareImport, rehearse, writeImport } from './importing.ts'
import { movedKeys } from './moved-keys.ts'
import { type Report, reportOf } from './report.ts'

const compare = task(compareCatalog, async ({ database, tenant, now }, { snapshot, include }) => {
  const { environment, plan } = await rehearse(database.read, tenant.id, snapshot as Snapshot)
  const compared = {
    at: now,
    sourceTenantId: (snapshot as Snapshot).sourceTenantId ?? null,
    targetTenantId: tenant.id,
    environmentRevision: String(environment.revision),
    affected: await countAffected(database.read, tenant.id, environment, plan.items),
  }
  return reportOf(plan, compared, include === 'unchanged')
})

const importing = task(importCatalog, (context, { snapshot, expectedRevision, source }) =>
  importGuarded(
    context,
    importCatalog.name,
    { snapshot: snapshot as Snapshot, source, guardedBy: expectedRevision },
    async ({ environment, plan }) => {
      // What cannot be imported is told why, wherever the environment stands.
      if (plan.errors.length > 0) return
      if (expectedRevision === undefined || expectedRevision === String(environment.revision)) return
      throw new Problem(
        'catalog.environment_changed',
        `The environment is at revision ${environment.revision}, not ${expectedRevision}: compare again.`,
      )
    },
  ),
)

const apply = task(applyCatalog, (context, { snapshot, expected, source }) =>
  importGuarded(
    context,
    applyCatalog.name,
    { snapshot: snapshot as Snapshot, source, guardedBy: expected },
    async (rehearsal, tx) => {
      const moved = await movedKeys(tx, context.tenant.id, rehearsal, expected)
      if (moved.length === 0) return
      const named = moved
        .slice(0, 5)
        .map(({ key }) => key)
        .join(', ')
      throw new Problem(
        'catalog.environment_changed',
        `${moved.length} of the keys are no longer as expected: ${named}. Compare again.`,
        {
          extensions: { moved },
        },
      )
    },
  ),
)

/** One import: prepared outside the transaction, written inside it, recorded with it. */
async function importGuarded(
  context: RequestContext,
  operation: string,
  wanted: { snapshot: Snapshot; source: string | undefined; guardedBy: unknown },
  guard: Guard,
): Promise<Report & { importId: string }> {
  const { database, tenant, now } = context
  const { snapshot } = wanted
  const stamp = { tenantId: tenant.id, actor: actorOf(context), now }
  const key = readIdempotencyKey(context.headers)
  const sourceTenantId = snapshot.sourceTenantId ?? null
  const source = wanted.source ?? sourceTenantId
  const prepare = async (readable: Readable) => {
    const rehearsal = await rehearse(readable, tenant.id, snapshot)
    return prepareImport(readable, rehearsal, stamp, sourceTenantId, database.kind)
  }
  const fingerprint = key === undefined ? '' : digestOf(wanted)
  for (let attempt = 1; ; attempt++) {
    const prepared = await prepare(database.read)
    const anew = async (tx: Tx) => {
      if (attempt < attemptsOutside) throw new CatalogMoved()
      return prepare(tx)
    }
    try {
      const settled = await database.transact(async (tx): Promise<Settled<Report & { importId: string }>> => {
        const work = async () => {
          const written = await writeImport(tx, stamp, prepared, anew, guard)
          await recordImport(tx, stamp, written, source, { operation, correlationId: context.correlationId })
          return { importId: written.importId, ...written.report }
        }
        return key === undefined
          ? { answer: await work() }
          : runOnce(tx, context, { key, operation, fingerprint }, work)
      })
      if ('refusal' in settled) throw settled.refusal
      return settled.answer
    } catch (error) {
      if (!(error instanceof CatalogMoved)) throw error
    }
  }
}

/** How often an import is prepared while others may write; when the catalog moves every time, the last is made under the lock. */
const attemptsOutside = 3

const exporting = query(exportCatalog, async ({ read, tenant, now }, { scope }) => {
  const sections = readSections(scope)
  const environment = await loadEnvironment(read, tenant.id)
  return exportSnapshot(environment, sections, { at: now, tenantId: tenant.id })
})

const drift = query(driftOfCatalog, ({ read, tenant }) => readDrift(read, tenant.id))

const importsList = query(listImports, async ({ read, tenant }, input) => {
  const page = await listImportRows(read, tenant.id, input)
  return { ...page, items: page.items.map(importToWire) }
})

const importReport = query(getImport, async ({ read, tenant }, { importId }) => {
  const row = await getImportRow(read, tenant.id, importId)
  const report = parseCompressed<Report>(row.report)
  await nameGroupsOfReport(read, tenant.id, report)
  return { ...report, ...importToWire(row), report: { importId: row.id, ...report } }
})

const importBefore = query(getImportBefore, async ({ read, tenant }, { importId }) => {
  const before = parseCompressed<Snapshot>((await getImportRow(read, tenant.id, importId)).before_snapshot)
  await nameFormerGroups(read, tenant.id, before.entitlementOffers ?? [])
  return before
})

export const snapshotProcedures = {
  compare,
  import: importing,
  apply,
  export: exporting,
  drift,
  imports: router({ list: importsList, get: importReport, before: importBefore }),
}
