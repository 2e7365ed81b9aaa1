import type { Kind } from '../../catalog-schema/order.ts'
import * as addOns from '../catalog/add-ons/items.ts'
import * as features from '../catalog/features/items.ts'
import * as metrics from '../catalog/metrics/items.ts'
import * as planSets from '../catalog/plan-sets/items.ts'
import * as products from '../catalog/products/items.ts'
import type { CatalogNames } from '../catalog/records/names.ts'
import * as suites from '../catalog/suites/items.ts'
import * as tags from '../catalog/tags/items.ts'
import type { Readable } from '../database/database.ts'
import * as offers from '../entitlements/offers/items.ts'
import * as ratingCampaigns from '../feedback/rating-campaigns/items.ts'
import type { RecordRow } from '../kit/records/record-row.ts'
import type { Stamp } from '../kit/records/stamp.ts'
import type { RecordTable } from '../kit/records/store.ts'

/** A record with its canonical item. */
export interface HeldItem {
  row: RecordRow
  item: object
}

/** How a kind's records are read as items and written from them: the same functions that its own procedures use. */
export interface Room {
  table: RecordTable
  /** The rows to read, where those are not all of the table's. */
  readRows?(readable: Readable, tenantId: string): Promise<RecordRow[]>
  /** Which of them are items, where not all are. */
  isItem?(row: never): boolean
  toItem(row: never, names: CatalogNames, tags: readonly string[]): object
  toRow(item: never, id: string, names: CatalogNames, stamp: Stamp, before?: never): RecordRow
  /** Makes known what records name and no catalog holds. */
  introduceOthers?(readable: Readable, tenantId: string, rows: never, names: CatalogNames): Promise<void>
  /** Makes a record's name known to what is read or written after it. */
  introduce?(item: never, id: string, names: CatalogNames): void
}

type Named = { productCode: string; productVersion: string | null }

export const rooms: Record<Kind, Room> = {
  tag: {
    table: 'tags',
    toItem: tags.toItem,
    toRow: (item, id, _names, stamp, before) => tags.toRow(item, id, stamp, before),
  },
  product: {
    table: 'products',
    ...products,
    introduce: (item: Named, id, names) => names.addProduct(id, item),
  },
  feature: {
    table: 'features',
    ...features,
    introduce: (item: Named & { featureCode: string }, id, names) =>
      names.addFeature(id, names.productId(item), item.featureCode),
  },
  monitoredAsset: { table: 'metrics', ...metrics },
  suite: {
    table: 'suites',
    ...suites,
    introduce: (item: { code: string }, id, names) => names.addSuite(id, item.code),
  },
  planSet: {
    table: 'plan_sets',
    ...planSets,
    introduce: (item: { suiteCode: string; name: string }, id, names) =>
      names.addPlanSet(id, names.suiteId(item.suiteCode), item.name),
  },
  addOn: { table: 'add_ons', ...addOns },
  entitlementOffer: { table: 'entitlements', ...offers },
  ratingCampaign: { table: 'rating_campaigns', ...ratingCampaigns },
}
