import { canHave } from '../../../catalog-schema/rules/feature-values.ts'
import type { ValuedFeature } from '../../../catalog-schema/rules/rule.ts'
import type { Readable, Tx } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import { readRecords, writeRecords } from '../../kit/records/store.ts'
import { attachedReference } from '../add-ons/feature-references.ts'
import { readStoredFeatures } from '../products/items.ts'
import {
  addOnsOf,
  isDraft,
  planSetsAbout,
  type Speakers,
  type SpeakingAddOn,
  type SpeakingPlanSet,
  suitesOf,
} from '../records/speakers.ts'

/** A feature as others name it: the product's, by code; add-ons also name a catalog entry by id. */
export interface NamedFeature {
  product_id: string
  feature_code: string
  id?: string
}

/** Those that need a feature, by key: plan sets and add-ons that are or were released, and offers that set its value; with `drafts`, drafts too. */
export const usersOfFeature = (
  { planSets, addOns, offers }: Speakers,
  feature: NamedFeature,
  { drafts = false } = {},
): string[] =>
  [
    ...planSets.filter((set) => (drafts || !isDraft(set)) && planSetUses(set, feature)),
    ...addOns.filter((addOn) => (drafts || !isDraft(addOn)) && addOnUses(addOn, feature)),
    ...offers.filter(({ features }) => features.some(({ featureCode }) => featureCode === feature.feature_code)),
  ].map(({ key }) => key)

/** Those that give a feature a value which it can have as it was and not as it becomes, by key, drafts included. */
export function losersOfOptions(
  { planSets, addOns, offers }: Speakers,
  featureCode: string,
  was: ValuedFeature,
  becomes: ValuedFeature,
): string[] {
  const loses = (given: { featureCode: string; value: string | null }) =>
    given.featureCode === featureCode && canHave(was, given.value) && !canHave(becomes, given.value)
  return [
    ...planSets.filter(({ lines }) => lines.some(({ featureValues }) => featureValues.some(loses))),
    ...addOns.filter(({ values }) => values.some((value) => value.operation === 'Replace' && loses(value))),
    ...offers.filter(({ features }) => features.some(loses)),
  ].map(({ key }) => key)
}

const planSetUses = ({ lines }: SpeakingPlanSet, { feature_code }: NamedFeature) =>
  lines.some(({ featureValues }) => featureValues.some(({ featureCode }) => featureCode === feature_code))

const addOnUses = ({ featureIds, values }: SpeakingAddOn, { id, product_id, feature_code }: NamedFeature) =>
  (id !== undefined && featureIds.includes(id)) ||
  featureIds.includes(attachedReference(product_id, feature_code)) ||
  values.some(({ featureCode }) => featureCode === feature_code)

/** Takes the values of a feature that goes away out of draft plan sets and add-ons, unless something else has the code. */
export async function dropDraftValues(tx: Tx, feature: Required<NamedFeature>, stamp: Stamp): Promise<void> {
  const { product_id, feature_code, id } = feature
  const suites = await suitesOf(tx, stamp.tenantId, product_id)
  const planSets = await planSetsAbout(tx, stamp.tenantId, suites, product_id)
  const others = await productsKnowing(tx, stamp.tenantId, [...new Set(suites.flatMap((s) => s.memberIds))], feature)
  const named = ({ featureCode }: { featureCode: string }) => featureCode === feature_code
  const poorerSets = planSets
    .filter((set) => isDraft(set) && planSetUses(set, feature) && !others.has(product_id))
    .map(({ row, plans }) => ({
      ...row,
      ...rowHead(row.id, row, stamp),
      revision_date: stamp.now,
      plans: JSON.stringify(
        plans.map((plan) => ({
          ...plan,
          lineItems: plan.lineItems.map((line) =>
            line.productId === product_id
              ? { ...line, featureValues: line.featureValues.filter((value) => !named(value)) }
              : line,
          ),
        })),
      ),
    }))
  const poorerAddOns = (await addOnsOf(tx, stamp.tenantId, suites))
    .filter((addOn) => isDraft(addOn) && addOnUses(addOn, feature))
    .map(({ row, featureIds, values, memberIds }) => ({
      ...row,
      ...rowHead(row.id, row, stamp),
      features: JSON.stringify(
        featureIds.flatMap((featureId) => {
          if (featureId !== id && featureId !== attachedReference(product_id, feature_code)) return [featureId]
          return others.has(product_id) ? [attachedReference(product_id, feature_code)] : []
        }),
      ),
      feature_values: JSON.stringify(
        memberIds.some((memberId) => others.has(memberId)) ? values : values.filter((value) => !named(value)),
      ),
    }))
  await writeRecords(tx, 'plan_sets', poorerSets)
  await writeRecords(tx, 'add_ons', poorerAddOns)
}

/** Which of the products have a feature of that code beside the one in question: attached, or another catalog entry. */
async function productsKnowing(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
  { id, feature_code }: Required<NamedFeature>,
): Promise<Set<string>> {
  if (productIds.length === 0) return new Set()
  const entries = await readable
    .selectFrom('features')
    .select('product_id')
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('feature_code', '=', feature_code)
    .where('id', '!=', id)
    .where('product_id', 'in', productIds)
    .execute()
  const products = await readRecords(readable, 'products', tenantId, productIds)
  const attached = products.filter((product) =>
    readStoredFeatures(product).some(({ featureCode }) => featureCode === feature_code),
  )
  return new Set([...entries.map(({ product_id }) => product_id), ...attached.map((product) => product.id)])
}
