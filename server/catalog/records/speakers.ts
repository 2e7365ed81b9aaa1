import type { AddOnFeatureValue } from '../../../catalog-schema/add-on.ts'
import { keyOf, keyText, productText } from '../../../catalog-schema/keys.ts'
import type { Readable } from '../../database/database.ts'
import { no, yes } from '../../kit/flags.ts'
import type { StoredLine, StoredPlan } from '../plan-sets/stored-plans.ts'
import type { CatalogTables } from '../tables.ts'

/** A plan set with lines about a product. */
export interface SpeakingPlanSet {
  row: CatalogTables['plan_sets']
  key: string
  plans: StoredPlan[]
  lines: StoredLine[]
}

/** An add-on of a suite that a product is a member of, or that names one of its features. */
export interface SpeakingAddOn {
  row: CatalogTables['add_ons']
  key: string
  featureIds: string[]
  values: AddOnFeatureValue[]
  /** The products of its suite. */
  memberIds: string[]
}

/** The suites a product is a member of, its own included, by id: how key strings write each, and its products. */
export async function suitesOf(readable: Readable, tenantId: string, productId: string) {
  const rows = await readable
    .selectFrom('suites')
    .leftJoin('products', 'products.id', 'suites.own_product_id')
    .select(['suites.id', 'suites.code', 'suites.own_product_id', 'suites.members'])
    .select(['products.product_code', 'products.product_version'])
    .where('suites.tenant_id', '=', tenantId)
    .where('suites.is_deleted', '=', no)
    .where('suites.members', 'like', `%${productId}%`)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    isOwn: row.own_product_id === productId,
    text:
      row.product_code === null
        ? keyText(row.code)
        : productText({ productCode: row.product_code, productVersion: row.product_version }),
    memberIds: (JSON.parse(row.members) as { productId: string }[]).map((member) => member.productId),
  }))
}

type Suites = Awaited<ReturnType<typeof suitesOf>>

/** The plan sets of these suites, by key. */
export async function planSetsOf(readable: Readable, tenantId: string, suites: Suites) {
  if (suites.length === 0) return []
  const rows = await readable
    .selectFrom('plan_sets')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where(
      'suite_id',
      'in',
      suites.map(({ id }) => id),
    )
    .execute()
  return rows.map((row) => {
    const suite = suites.find(({ id }) => id === row.suite_id)!
    const key = keyOf('planSet', { suiteCode: suite.text, name: row.name }, (text) => text)
    return { row, key, plans: JSON.parse(row.plans) as StoredPlan[], isOwn: suite.isOwn }
  })
}

/** The plan sets of these suites, with their lines about the product (of its own suite's sets also those that have none). */
export async function planSetsAbout(
  readable: Readable,
  tenantId: string,
  suites: Suites,
  productId: string,
): Promise<SpeakingPlanSet[]> {
  const planSets = await planSetsOf(readable, tenantId, suites)
  return planSets.flatMap(({ isOwn, ...set }) => {
    const lines = set.plans.flatMap(({ lineItems }) => lineItems.filter((line) => line.productId === productId))
    return lines.length === 0 && !isOwn ? [] : [{ ...set, lines }]
  })
}

/** The add-ons of these suites. */
export async function addOnsOf(
  readable: Readable,
  tenantId: string,
  suites: readonly { id: string; memberIds: string[] }[],
): Promise<SpeakingAddOn[]> {
  if (suites.length === 0) return []
  const rows = await readable
    .selectFrom('add_ons')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where(
      'suite_id',
      'in',
      suites.map(({ id }) => id),
    )
    .execute()
  return rows.map((row) => ({
    row,
    key: keyOf('addOn', row),
    featureIds: JSON.parse(row.features) as string[],
    values: JSON.parse(row.feature_values) as AddOnFeatureValue[],
    memberIds: suites.find(({ id }) => id === row.suite_id)!.memberIds,
  }))
}

/** An offer that has a product, with the values it sets of that product's features. */
export interface SpeakingOffer {
  key: string
  features: { featureCode: string; value: string | null }[]
}

/** The offers that have a product. */
export async function offersHaving(readable: Readable, tenantId: string, productId: string): Promise<SpeakingOffer[]> {
  const rows = await readable
    .selectFrom('entitlements')
    .select(['name', 'version', 'products'])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('is_offer', '=', yes)
    .where('products', 'like', `%${productId}%`)
    .execute()
  return rows.map((row) => ({
    key: keyOf('entitlementOffer', row),
    features: (JSON.parse(row.products) as { productId: string; features?: SpeakingOffer['features'] }[])
      .filter((entry) => entry.productId === productId)
      .flatMap((entry) => entry.features ?? []),
  }))
}

/** Everything that may speak of a product's features. */
export interface Speakers {
  planSets: SpeakingPlanSet[]
  addOns: SpeakingAddOn[]
  offers: SpeakingOffer[]
}

/** What may speak of a product's features: plan sets and add-ons of the suites that it is in, and offers that have it. */
export async function speakersAbout(readable: Readable, tenantId: string, productId: string): Promise<Speakers> {
  const suites = await suitesOf(readable, tenantId, productId)
  return {
    planSets: await planSetsAbout(readable, tenantId, suites, productId),
    addOns: await addOnsOf(readable, tenantId, suites),
    offers: await offersHaving(readable, tenantId, productId),
  }
}

/** Whether a plan set or an add-on was not published yet. */
export const isDraft = ({ row }: { row: { status: string } }) => row.status === 'Draft'
