import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Metric } from '../../../catalog-schema/metric.ts'
import type { WriteContext } from '../../kit/context.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { refuseInUse } from '../../kit/records/in-use.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { softDelete } from '../../kit/records/store.ts'
import {
  applyOfProduct,
  createOfProduct,
  type Loaded,
  loadOfProduct,
  type OfProduct,
  writeOfProduct,
} from '../records/of-product.ts'
import { moveRevision } from '../records/revision.ts'
import { forgetTags } from '../records/tagging.ts'
import { metricBodyFields, metricClears, metricContracts } from './contract.ts'
import { type MetricRow, toItem, toRow } from './items.ts'
import { refuseAssetOfEntitlement } from './of-entitlement.ts'
import { usersOfBalance, usersOfMetric } from './users.ts'
import { answerMetric, metricSource, toWire } from './wire.ts'

const metric: OfProduct<'metrics', Metric> = {
  kind: 'monitoredAsset',
  table: 'metrics',
  noun: 'monitored asset',
  tagScope: 'Product',
  code: { field: 'metricName', column: 'metric_name' },
  bodyFields: metricBodyFields,
  clears: metricClears,
  toItem,
  toRow,
}

const list = query(metricContracts.list, (context, input) => answerPage(context, input, metricSource, toWire))

const get = query(metricContracts.get, ({ read, tenant }, { id }) => answerMetric(read, tenant.id, id))

const create = mutation(metricContracts.create, async (context, body) =>
  answerMetric(context.tx, context.tenant.id, await createOfProduct(context, metric, body)),
)

const update = mutation(metricContracts.update, (context, { id, ...body }) => edit(context, id, body))
const replace = mutation(metricContracts.replace, (context, { id, ...body }) => edit(context, id, body))

interface Edit {
  balanceUsage?: object | null
  clearMaxAutoBalanceCreditTransferAmount?: boolean | null
}

async function edit(context: WriteContext, id: string, given: Edit) {
  const loaded = await load(context, id)
  // No balance comes of a limit that is taken away where there is none.
  const hasBalance = Boolean(loaded.item.balanceUsage ?? given.balanceUsage)
  const body = hasBalance ? given : { ...given, clearMaxAutoBalanceCreditTransferAmount: null }
  const after = applyOfProduct(metric, loaded, body)
  if (after.metricName !== loaded.item.metricName) await refuseWhileQuoted(context, loaded)
  else if (loaded.item.balanceUsage && !after.balanceUsage) await refuseWhilePaying(context, loaded)
  await writeOfProduct(context, metric, loaded, after, body)
  return answerMetric(context.tx, context.tenant.id, loaded.row.id)
}

/** Loads an asset of the catalog that is to be changed; throws catalog.in_use for one that an entitlement meters with. */
async function load(context: WriteContext, id: string) {
  await refuseAssetOfEntitlement(context.tx, context.tenant.id, id)
  return loadOfProduct(context, metric, id)
}

/** The name of a metric stays, and the metric too, while its product, something released or another metric quotes it. */
async function refuseWhileQuoted({ tx, tenant }: WriteContext, { row, item }: Loaded<MetricRow, Metric>) {
  refuseInUse(keyOf('monitoredAsset', item), await usersOfMetric(tx, tenant.id, row, item))
}

/** A balance stays one while it pays for something released or another metric. */
async function refuseWhilePaying({ tx, tenant }: WriteContext, { row, item }: Loaded<MetricRow, Metric>) {
  refuseInUse(`The balance of ${keyOf('monitoredAsset', item)}`, await usersOfBalance(tx, tenant.id, row))
}

const remove = mutation(metricContracts.delete, async (context, { id }) => {
  const { tx, tenant } = context
  const loaded = await load(context, id)
  await refuseWhileQuoted(context, loaded)
  await softDelete(tx, 'metrics', stampOf(context), [loaded.row.id])
  await forgetTags(tx, tenant.id, [loaded.row.id])
  await moveRevision(tx, tenant.id)
  return undefined
})

export const monitoredAssets = { list, create, get, update, replace, delete: remove }
