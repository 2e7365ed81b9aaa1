import { foldTagName } from '../../../catalog-schema/tag-names.ts'
import { findPlanSet } from '../../catalog/plan-sets/standing.ts'
import { refuseErrors } from '../../catalog/records/judging.ts'
import { keepCatalog, lockCatalog, moveRevision } from '../../catalog/records/revision.ts'
import { findTags, tagsOf } from '../../catalog/records/tagging.ts'
import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { type Cause, type Happening, recordEvents } from '../../kit/outbox.ts'
import { invalid, Problem } from '../../kit/problem.ts'
import { recordIssuance } from '../campaigns/issuance.ts'
import { type Settled, settle } from '../life/settling.ts'
import { type EntitlementStatus, stepTo } from '../life/steps.ts'
import { choosePlan, type PlanChoice } from '../offers/given-plan.ts'
import { putOnPlan, tellPlanApplied } from '../plans/applying.ts'
import { planLayer } from '../plans/plan-layer.ts'
import { withLayers } from '../plans/relayering.ts'
import { draftEntitlement, type Given } from './drafting.ts'
import { draftFeatures } from './given-features.ts'
import { type EntitlementRow, holdSeats, lockEntitlement } from './loading.ts'
import { saveEntitlement } from './saving.ts'
import { readLayers } from './stored.ts'

/**
 * Writes a new entitlement: what a request gives of it over `start` and the tags that it starts with, on the plan and at the
 * status that the request names, attributed to its campaign. Answers its row. What it refers to of the catalog is the caller's
 * to keep (`keepReferred`).
 */
export async function createEntitlement(
  cause: Cause,
  start: EntitlementRow,
  given: Given,
  startingTags: readonly string[] = [],
): Promise<EntitlementRow> {
  const campaignId = (given.campaignId as string | undefined)?.toLowerCase() ?? null
  const { row, tags = startingTags } = await draftEntitlement(cause, start, startingTags, given)
  const { row: advanced, happenings } = await advance(cause, { ...row, campaign_id: campaignId }, given)
  await recordEvents(cause, happenings)
  const saved = await saveEntitlement(cause, advanced, undefined, tags)
  if (campaignId !== null) await recordIssuance(cause, campaignId, saved.id)
  return saved
}

/** Writes what a request makes of an entitlement; nothing moves when it is as before. Throws the not-found problem. */
export async function editEntitlement(context: WriteContext, id: string, given: Given): Promise<void> {
  const cause = causeOf(context)
  await keepReferred(cause, given)
  if (['licensePolicy', 'trialPolicy', 'isEntitlementTrial'].some((name) => name in given))
    await holdSeats(cause.tx, cause.tenantId, id)
  const before = await lockEntitlement(cause.tx, cause.tenantId, id)
  requireRevision(context, before.revision_number)
  await rewriteEntitlement(cause, before, given)
}

/** Writes an entitlement in place of `before`: what a request makes of `start`, which it is to be without that. */
export async function rewriteEntitlement(cause: Cause, before: EntitlementRow, given: Given, start = before) {
  const carried = (await tagsOf(cause.tx, cause.tenantId, [before.id])).get(before.id) ?? []
  const { row, tags } = await draftEntitlement(cause, start, carried, given)
  const { row: advanced, happenings } = await advance(cause, row, given)
  await recordEvents(cause, happenings)
  await saveEntitlement(cause, advanced, before, tags)
}

/** What an entitlement refers to of the catalog. */
const referring = ['products', 'features', 'assignedPlanSetId', 'assignedPlanName', 'tags']

/** Keeps what a request for an entitlement refers to of the catalog as it is. */
export async function keepReferred(cause: Cause, given: Given): Promise<void> {
  if (referring.some((name) => name in given)) await keepCatalogFor(cause, (given.tags ?? []) as string[])
}

/** Keeps the catalog as it is for who is given these tags: in the tenant's turn to change it, as the registry gains those that it has not. */
export async function keepCatalogFor(cause: Cause, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return keepCatalog(cause.tx, cause.tenantId)
  await lockCatalog(cause.tx, cause.tenantId)
  if (await lacksTags(cause, tags)) await moveRevision(cause.tx, cause.tenantId)
}

async function lacksTags({ tx, tenantId }: Cause, names: readonly string[]): Promise<boolean> {
  const known = await findTags(tx, tenantId, 'Entitlement', names)
  return names.some((name) => !known.has(foldTagName(name)))
}

/** The entitlement on the plan, with the features and at the status that a request names, in this order, and the events of that. */
async function advance(cause: Cause, row: EntitlementRow, given: Given): Promise<Settled> {
  const planned = await choose(cause, row, given)
  const valued = { ...planned.row, ...(await draftFeatures(cause, planned.row, given)) }
  const status = given.status as EntitlementStatus | undefined
  const isAt = status === undefined || status === row.status
  const stepped = isAt ? { row: valued, happenings: [] } : stepTo(valued, status, cause.now)
  const { row: settled } = settle(stepped.row, cause.now)
  return { row: stepped.row, happenings: [...planned.tell(settled), ...stepped.happenings] }
}

/** An entitlement on its plan, and what is told of that: as it stands in the end, since receivers get events in any order. */
interface Chosen {
  row: EntitlementRow
  tell: (row: EntitlementRow) => Happening[]
}

const tellNothing = () => []

/** The entitlement on the plan that a request names, if that is another. */
async function choose({ tx, tenantId }: Cause, row: EntitlementRow, given: Given): Promise<Chosen> {
  const stored: PlanChoice = { planSetId: row.assigned_plan_set_id, planName: row.assigned_plan_name }
  const { choice, errors } = choosePlan(stored, given)
  refuseErrors(errors)
  const { planSetId, planName } = choice
  if (planSetId === stored.planSetId && planName === stored.planName) return { row, tell: tellNothing }
  if (row.status === 'Cancelled')
    throw new Problem('catalog.invalid_transition', 'It is Cancelled: its plan stays as it was.')
  const layers = readLayers(row)
  if (planSetId === null || planName === null) {
    const unplanned = { ...row, assigned_plan_set_id: null, assigned_plan_name: null }
    return { row: withLayers(unplanned, { ...layers, plan: null }), tell: tellNothing }
  }
  const set = await findPlanSet(tx, tenantId, planSetId)
  if (!set) throw invalid([{ pointer: '/assignedPlanSetId', message: 'there is no plan set with that id' }])
  if (!set.planNames.includes(planName))
    throw invalid([{ pointer: '/assignedPlanName', message: `plan set "${set.name}" has no plan of that name` }])
  const planned = await putOnPlan(tx, row, await planLayer(tx, tenantId, planSetId, planName))
  return { row: planned.row, tell: (told) => [tellPlanApplied({ ...planned, row: told }, layers.plan)] }
}
