import type { Feature } from '../../../catalog-schema/feature.ts'
import { sameValue } from '../../../catalog-schema/form.ts'
import { keyOf } from '../../../catalog-schema/keys.ts'
import type { WriteContext } from '../../kit/context.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { refuseInUse } from '../../kit/records/in-use.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getRecord, softDelete } from '../../kit/records/store.ts'
import { readStoredFeatures } from '../products/items.ts'
import { listEntitlementsHaving } from '../records/entitlements-having.ts'
import {
  applyOfProduct,
  createOfProduct,
  type Loaded,
  loadOfProduct,
  type OfProduct,
  writeOfProduct,
} from '../records/of-product.ts'
import { moveRevision } from '../records/revision.ts'
import { speakersAbout } from '../records/speakers.ts'
import { requireStep, requireStepOrSame } from '../records/steps.ts'
import { forgetTags } from '../records/tagging.ts'
import type { CatalogTables } from '../tables.ts'
import { featureBodyFields, featureClears, featureContracts, featureFilterFields } from './contract.ts'
import { toItem, toRow } from './items.ts'
import { dropDraftValues, losersOfOptions, usersOfFeature } from './users.ts'
import { answerFeature, toWire } from './wire.ts'

const feature: OfProduct<'features', Feature> = {
  kind: 'feature',
  table: 'features',
  noun: 'feature catalog entry',
  tagScope: 'FeatureCatalog',
  code: { field: 'featureCode', column: 'feature_code' },
  bodyFields: featureBodyFields,
  clears: featureClears,
  toItem,
  toRow,
}

const list = query(featureContracts.list, (context, input) =>
  answerPage(context, input, { table: 'features', fields: featureFilterFields }, toWire),
)

const get = query(featureContracts.get, ({ read, tenant }, { id }) => answerFeature(read, tenant.id, id))

const create = mutation(featureContracts.create, async (context, body) => {
  const { tx, tenant } = context
  const entry = await answerFeature(tx, tenant.id, await createOfProduct(context, feature, body))
  const product = await getRecord(tx, 'products', tenant.id, entry.productId)
  const attached = findAttached(product, entry.featureCode)
  if (attached) {
    const key = keyOf('feature', {
      productCode: product.product_code,
      productVersion: product.product_version,
      featureCode: entry.featureCode,
    })
    refuseInUse(
      `An option of ${key}`,
      losersOfOptions(await speakersAbout(tx, tenant.id, product.id), entry.featureCode, attached, entry),
    )
  }
  return entry
})

const update = mutation(featureContracts.update, (context, { id, ...body }) => edit(context, id, body))
const replace = mutation(featureContracts.replace, (context, { id, ...body }) => edit(context, id, body))

async function edit(context: WriteContext, id: string, body: object) {
  const loaded = await loadOfProduct(context, feature, id)
  const after = applyOfProduct(feature, loaded, body)
  requireStepOrSame('feature', loaded.item, after)
  if (after.featureCode !== loaded.item.featureCode) await refuseWhileNamed(context, loaded)
  else await refuseLostOptions(context, loaded, after)
  await writeOfProduct(context, feature, loaded, after, body)
  return answerFeature(context.tx, context.tenant.id, loaded.row.id)
}

/** The code of a feature stays while anybody names the feature by it. */
async function refuseWhileNamed(
  { tx, tenant }: WriteContext,
  { row, item }: Loaded<CatalogTables['features'], Feature>,
) {
  const held = { productId: row.product_id, featureCode: row.feature_code }
  const product = await getRecord(tx, 'products', tenant.id, row.product_id)
  refuseInUse(keyOf('feature', item), [
    ...(findAttached(product, row.feature_code) ? [keyOf('product', item)] : []),
    ...usersOfFeature(await speakersAbout(tx, tenant.id, row.product_id), row, { drafts: true }),
    ...(await listEntitlementsHaving(tx, tenant.id, { feature: held })),
  ])
}

/** The feature of that code which is attached to a product. */
const findAttached = (product: CatalogTables['products'], code: string) =>
  readStoredFeatures(product).find(({ featureCode }) => featureCode === code)

/** An option stays while anybody gives the feature that value. */
async function refuseLostOptions(
  { tx, tenant }: WriteContext,
  { row, item }: Loaded<CatalogTables['features'], Feature>,
  after: Feature,
) {
  if (item.featureType === after.featureType && sameValue(item.enumOptions, after.enumOptions)) return
  const speakers = await speakersAbout(tx, tenant.id, row.product_id)
  refuseInUse(`An option of ${keyOf('feature', item)}`, losersOfOptions(speakers, item.featureCode, item, after))
}

const remove = mutation(featureContracts.delete, async (context, { id }) => {
  const { tx, tenant } = context
  const { row, item } = await loadOfProduct(context, feature, id)
  const held = { productId: row.product_id, featureCode: row.feature_code }
  refuseInUse(keyOf('feature', item), [
    ...usersOfFeature(await speakersAbout(tx, tenant.id, row.product_id), row),
    ...(await listEntitlementsHaving(tx, tenant.id, { feature: held })),
  ])
  await dropDraftValues(tx, row, stampOf(context))
  await softDelete(tx, 'features', stampOf(context), [row.id])
  await forgetTags(tx, tenant.id, [row.id])
  await moveRevision(tx, tenant.id)
  return undefined
})

/** The deed that takes an entry one step along its lifecycle. */
const stepTo =
  (lifecycleStatus: Feature['lifecycleStatus']) =>
  async (context: WriteContext, { id }: { id: string }) => {
    const loaded = await loadOfProduct(context, feature, id)
    requireStep('feature', loaded.item.lifecycleStatus, lifecycleStatus)
    await writeOfProduct(context, feature, loaded, { ...loaded.item, lifecycleStatus })
    return answerFeature(context.tx, context.tenant.id, loaded.row.id)
  }

export const featureCatalog = {
  list,
  create,
  get,
  update,
  replace,
  delete: remove,
  preview: mutation(featureContracts.preview, stepTo('Preview')),
  publish: mutation(featureContracts.publish, stepTo('Published')),
  disable: mutation(featureContracts.disable, stepTo('Disabled')),
  archive: mutation(featureContracts.archive, stepTo('Archived')),
}
