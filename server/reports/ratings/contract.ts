import { Type } from 'typebox'
import { NullableUuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract } from '../../kit/contract.ts'
import {
  Count,
  Line,
  NullQuantity,
  NullText,
  productFields,
  reportBasis,
  reportPath,
  windowAnswer,
  windowQuery,
} from '../shapes.ts'

const campaign = {
  campaignId: NullableUuid({
    description: 'The rating campaign that asked; null where none did, and where that is not told apart.',
  }),
  campaignName: NullText('Its name.'),
}
const figures = {
  ratings: Count('How many gave 1 to 5.'),
  average: NullQuantity('Of those; null where there are none.'),
  rated1: Count('How many gave 1.'),
  rated2: Count('How many gave 2.'),
  rated3: Count('How many gave 3.'),
  rated4: Count('How many gave 4.'),
  rated5: Count('How many gave 5.'),
  comments: Count('How many left a remark, with a rating or without.'),
}
const FeatureLine = Line({
  ...productFields,
  featureCode: NullText('The feature that was rated; null for the product as a whole.'),
  countedBy: Type.Unsafe<'Feature' | 'Campaign'>({
    type: 'string',
    enum: ['Feature', 'Campaign'],
    description:
      'Feature: every rating once, whichever campaigns asked. Campaign: once for each campaign that asked, or for none.',
  }),
  ...campaign,
  ...figures,
})

export const ratingsContract = contract({
  ...reportBasis,
  name: 'admin.reports.ratings',
  path: reportPath('ratings'),
  summary: 'Report ratings',
  description: 'How features and products were rated, in all, by campaign, and each feature by each campaign.',
  query: windowQuery,
  answer: Closed({
    ...windowAnswer,
    features: Type.Array(FeatureLine),
    campaigns: Type.Array(Line({ ...campaign, ...figures })),
    featuresByCampaign: Type.Array(FeatureLine),
  }),
  csvLines: ['features', 'featuresByCampaign'],
})
