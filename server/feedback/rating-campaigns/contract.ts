import { Type } from 'typebox'
import { ratingCampaignFields, ratingTargetFields } from '../../../catalog-schema/rating-campaign.ts'
import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed, IndexedList, Patchable } from '../../../catalog-schema/shapes.ts'
import { collectionContracts } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { recordId, stampedTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { commonFilterFields, filterFieldsOf, storedFields } from '../../kit/records/columns.ts'
import { recordKind } from '../../kit/records/kind.ts'

const targetFields = {
  featureCatalogId: Uuid({ description: 'The entry of the feature catalog that is asked about.' }),
  ...ratingTargetFields,
}

export const campaignFields = {
  ...ratingCampaignFields,
  targets: IndexedList(Patchable(targetFields, ['featureCatalogId']), {
    description: 'The features that are asked about, each once; the list replaces the stored one.',
  }),
}

export const ratingCampaignClears = { clearStartsAt: 'startsAt', clearEndsAt: 'endsAt' } as const

export const ratingCampaignKind = recordKind('rating_campaigns', campaignFields)

/** A rating campaign as it is answered. */
const RatingCampaignRecord = Closed(
  {
    ...recordId,
    ...campaignFields,
    isRunning: Type.Boolean({ description: 'Whether it asks now: enabled, and between its beginning and its end.' }),
    targets: Type.Array(
      Closed({
        ...targetFields,
        featureCode: Type.String({ description: 'The code of the feature.' }),
        featureName: Type.String({ description: 'The name of the feature.' }),
      }),
      { description: 'The features that are asked about, without those that were deleted since.' },
    ),
    ...stampedTail,
  },
  { description: 'A transient ask, for how end users like some features.' },
)

const isRunning: ColumnField = {
  ...{ name: 'isRunning', column: 'rating_campaigns.is_running', nullable: false },
  type: 'boolean',
}

export const ratingCampaignFilterFields = [
  ...commonFilterFields('rating_campaigns', { created: 'creationTimeStamp', updated: 'lastUpdateTimeStamp' }),
  ...filterFieldsOf('rating_campaigns', storedFields(campaignFields)),
  isRunning,
]

export const ratingCampaignContracts = collectionContracts({
  name: 'admin.ratingCampaigns',
  noun: 'rating campaign',
  plural: 'rating campaigns',
  path: 'admin/rating-campaigns',
  scope: 'rating-campaigns',
  record: RatingCampaignRecord,
  create: bodyOf(campaignFields, ['name']),
  update: bodyOf(campaignFields, [], ratingCampaignClears),
  replace: bodyOf(campaignFields, ['name'], ratingCampaignClears),
  filterable: ratingCampaignFilterFields.map(({ name }) => name),
})
