import { canonicalItem, changesBetween } from '../../../catalog-schema/canonical.ts'
import type { PlanSet } from '../../../catalog-schema/plan-set.ts'
import type { Tx } from '../../database/database.ts'
import type { WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { Problem } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { applyBody, readBody } from '../../kit/records/body.ts'
import { refuseInUse } from '../../kit/records/in-use.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { rowHead, stampOf } from '../../kit/records/stamp.ts'
import { getRecord, softDelete, writeRecords } from '../../kit/records/store.ts'
import { listEntitlementsHaving } from '../records/entitlements-having.ts'
import { refuseErrors } from '../records/judging.ts'
import { lockCatalog, moveRevision } from '../records/revision.ts'
import { addOnsOf, isDraft } from '../records/speakers.ts'
import { requireStep, requireStepOrSame } from '../records/steps.ts'
import { getGivenSuite, requireOwnSuite } from '../suites/given-suite.ts'
import { getSuite, loadAround, type SuiteStanding } from '../suites/surroundings.ts'
import {
  planSetContracts,
  planSetCreateFields,
  planSetEditFields,
  publishContract,
  retireContract,
} from './contract.ts'
import { type PlanSetRow, readPlans, toItem, toRow } from './items.ts'
import { type GivenPlan, lineProductIds } from './line-products.ts'
import { assignPlanIds } from './plan-ids.ts'
import { findPlanSetByName, offersOn, planNamesBeside, planSetSource } from './store.ts'
import { toWire } from './wire.ts'
import { readPlansOf } from './written.ts'

const list = query(planSetContracts.list, (context, input) =>
  answerPage(context, input, planSetSource, async (_read, _tenantId, rows) => rows.map(toWire)),
)

const get = query(planSetContracts.get, async ({ read, tenant }, { id }) =>
  toWire(await getRecord(read, 'plan_sets', tenant.id, id, 'plan set')),
)

const create = mutation(planSetContracts.create, async (context, body) => {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const suite = await getGivenSuite(tx, tenant.id, body)
  const { suiteId: _suite, productId: _product, plans: _plans, ...given } = readBody(planSetCreateFields, body)
  const plans = givenPlans(body)
  const around = await loadAround(tx, tenant.id, lineProductIds(plans), [suite])
  const item = canonicalItem('planSet', {
    ...given,
    suiteCode: suite.code,
    plans: readPlansOf(plans, { suiteCode: suite.code, around, fillSole: true }),
  }) as unknown as PlanSet
  await requireFreeName(context, suite.id, item.name)
  const row = toRow(item, newId(), around.names, stampOf(context))
  await writeRecords(tx, 'plan_sets', [row])
  await moveRevision(tx, tenant.id)
  return toWire(row)
})

/** The plans that a body gives; null and absent alike give none. */
const givenPlans = (body: { plans?: unknown }) =>
  (readBody(planSetEditFields, { plans: body.plans ?? null }).plans ?? []) as GivenPlan[]

const update = mutation(planSetContracts.update, (context, { id, ...body }) => edit(context, id, body))
const replace = mutation(planSetContracts.replace, (context, { id, ...body }) => edit(context, id, body))

async function edit(
  context: WriteContext,
  id: string,
  { suiteId, ...body }: { suiteId?: string | null; plans?: unknown },
) {
  const { tx, tenant } = context
  const row = await load(context, id)
  requireOwnSuite(row, suiteId)
  const suite = await getSuite(tx, tenant.id, row.suite_id)
  const stored = readPlans(row)
  const plans = givenPlans(body)
  const around = await loadAround(tx, tenant.id, lineProductIds([...stored, ...plans]), [suite])
  const before = toItem(row, around.names)
  const given = readBody(planSetEditFields, body)
  if (given.plans) given.plans = readPlansOf(plans, { suiteCode: suite.code, around, fillSole: false })
  const after = applyBody('planSet', planSetEditFields, before, given) as unknown as PlanSet
  requireStepOrSame('planSet', before, after)
  const { ids, errors } = assignPlanIds(given.plans ? plans : stored, stored, newId)
  refuseErrors(errors)
  const keepsIds = stored.every(({ id, name }) => ids.get(name) === id)
  if (keepsIds && changesBetween('planSet', before, after).length === 0) return toWire(row)
  if (after.name !== before.name) await requireFreeName(context, suite.id, after.name)
  await refusePlansInUse(context, suite, row, after)
  const written = toRow(after, row.id, around.names, stampOf(context), row, ids)
  await writeRecords(tx, 'plan_sets', [written])
  await moveRevision(tx, tenant.id)
  return toWire(written)
}

/** Loads the set that is to be changed, once it is this request's turn to change the catalog. */
async function load(context: WriteContext, id: string): Promise<PlanSetRow> {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const row = await getRecord(tx, 'plan_sets', tenant.id, id, 'plan set')
  requireRevision(context, row.revision_number)
  return row
}

async function requireFreeName({ tx, tenant }: WriteContext, suiteId: string, name: string) {
  if (await findPlanSetByName(tx, tenant.id, suiteId, name))
    throw new Problem('catalog.duplicate_key', `The suite has a plan set named "${name}" already.`)
}

/** A plan that an offer starts on, a live or Draft entitlement is on, or a released add-on acts on, stays in its set. */
async function refusePlansInUse({ tx, tenant }: WriteContext, suite: SuiteStanding, row: PlanSetRow, after: PlanSet) {
  const names = after.plans.map(({ name }) => name)
  if (readPlans(row).every(({ name }) => names.includes(name))) return
  const staying = new Set<string | null>(names)
  const offers = await offersOn(tx, tenant.id, row.id)
  const left = offers.filter(({ planName }) => !staying.has(planName))
  refuseInUse('A plan that would leave the set', [
    ...left.map(({ key }) => key),
    ...(await addOnsCutOff(tx, suite, row, names)),
    ...(await listEntitlementsHaving(tx, tenant.id, { otherPlans: { planSetId: row.id, names } })),
  ])
}

/** The released add-ons that act on a plan of a set's which is none of these and no other set of the suite has, by key. */
async function addOnsCutOff(tx: Tx, suite: SuiteStanding, row: PlanSetRow, names: readonly string[]) {
  const staying = new Set([...names, ...(await planNamesBeside(tx, row))])
  const leaving = new Set(readPlans(row).flatMap(({ name }) => (staying.has(name) ? [] : [name])))
  return (await addOnsOf(tx, row.tenant_id, [suite]))
    .filter((addOn) => !isDraft(addOn))
    .filter(({ values }) => values.some(({ planTargets }) => planTargets.some((target) => leaving.has(target))))
    .map(({ key }) => key)
}

const remove = mutation(planSetContracts.delete, async (context, { id }) => {
  const { tx, tenant } = context
  const row = await load(context, id)
  const offers = await offersOn(tx, tenant.id, row.id)
  refuseInUse('The plan set', [
    ...offers.map(({ key }) => key),
    ...(await listEntitlementsHaving(tx, tenant.id, { planSetIds: [row.id] })),
  ])
  await softDelete(tx, 'plan_sets', stampOf(context), [row.id])
  await moveRevision(tx, tenant.id)
  return undefined
})

const publish = mutation(publishContract, (context, { id }) => step(context, id, 'Published'))
const retire = mutation(retireContract, (context, { id }) => step(context, id, 'Retired'))

async function step(context: WriteContext, id: string, status: string) {
  const { tx, tenant } = context
  const row = await load(context, id)
  requireStep('planSet', row.status, status)
  const { now: revision_date } = context
  const written = { ...row, ...rowHead(row.id, row, stampOf(context)), status, revision_date }
  await writeRecords(tx, 'plan_sets', [written])
  await moveRevision(tx, tenant.id)
  return toWire(written)
}

export const planSets = { list, get, create, update, replace, delete: remove, publish, retire }
