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

const feature = {
  ...productFields,
  featureCode: NullText('The feature that was rated; null for the product as a whole.'),
}
const campaign = {
  campaignId: NullableUuid({ description: 'The rating campaign that asked; null where none did.' }),
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

export const ratingsContract = contract({
  ...reportBasis,
  name: 'admin.reports.ratings',
  path: reportPath('ratings'),
  summary: 'Report ratings',
  description: 'How features and products were rated, in all, by campaign, and each feature by each campaign.',
  query: windowQuery,
  answer: Closed({
    ...windowAnswer,
    features: Type.Array(Line({ ...feature, ...figures })),
    campaigns: Type.Array(Line({ ...campaign, ...figures })),
    featuresByCampaign: Type.Array(Line({ ...feature, ...campaign, ...figures })),
  }),
  csvLines: ['featuresByCampaign'],
})
