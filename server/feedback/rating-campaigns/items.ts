import type { RatingCampaign } from '../../../catalog-schema/rating-campaign.ts'
import type { CatalogNames, FeatureName } from '../../catalog/records/names.ts'
import type { Readable } from '../../database/database.ts'
import { fromColumns, storedFields, toColumns } from '../../kit/records/columns.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import { readRecords } from '../../kit/records/store.ts'
import { campaignFields } from './contract.ts'
import type { RatingCampaignTables } from './tables.ts'
import type { Target } from './targets.ts'

type Row = RatingCampaignTables['rating_campaigns']

const storage = storedFields(campaignFields)

/** A campaign's row in a snapshot's shape; targets whose features were deleted are no part of it. */
export const toItem = (row: Row, names: CatalogNames): RatingCampaign => {
  const campaign = fromColumns(storage, row, {}) as Omit<RatingCampaign, 'targets'> & { targets: Target[] }
  const targets = campaign.targets.flatMap(({ featureCatalogId, question, priority }) => {
    const feature = names.findFeature(featureCatalogId)
    return feature ? [{ ...feature, question, priority }] : []
  })
  return { ...campaign, targets }
}

/** The row that a canonical campaign is written as, in place of the one before it. */
export const toRow = (item: RatingCampaign, id: string, names: CatalogNames, stamp: Stamp, before?: Row) =>
  ({
    ...rowHead(id, before, stamp),
    ...toColumns(storage, {
      ...item,
      targets: item.targets.map(({ question, priority, ...feature }) => ({
        featureCatalogId: names.findFeatureId(feature as FeatureName),
        question,
        priority,
      })),
    }),
  }) as Row

/** The tenant's campaigns, the oldest first. */
export async function readRows(readable: Readable, tenantId: string): Promise<Row[]> {
  const rows = await readRecords(readable, 'rating_campaigns', tenantId)
  return rows.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
}
