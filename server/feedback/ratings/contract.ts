import { type Static, Type } from 'typebox'
import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { standingRefusals } from '../../activations/usage/contract.ts'
import { listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, NullId, NullWords } from '../../kit/records/answers.ts'
import { ratingFilterFields } from './store.ts'

/** A rating as it is answered, to who gave it and to the vendor alike. */
export const RatingRecord = Closed(
  {
    id: Uuid(),
    sessionId: Uuid({ description: 'The license session in which it was given.' }),
    userId: NullId('The user who gave it; null when nobody was signed in.'),
    entitlementId: Uuid(),
    productId: Uuid(),
    featureId: NullId("The feature's entry in the catalog; null where it has none, and for the product as a whole."),
    featureCode: NullWords('The feature; null for the product as a whole.'),
    campaignIds: Type.Array(Uuid(), {
      description: 'The rating campaigns about the feature that it counts for: those that had begun.',
    }),
    rating: Type.Unsafe<number | null>({
      ...{ type: ['integer', 'null'], minimum: 1, maximum: 5 },
      description: 'From 1 to 5; null for a remark alone.',
    }),
    remark: NullWords('What was said with it.'),
    createdAt: Instant('When it was given.'),
  },
  { description: 'How an end user likes a feature, or a product as a whole.' },
)
export type RatingRecord = Static<typeof RatingRecord>

export const listRatings = contract({
  name: 'admin.ratings.list',
  method: 'GET',
  path: `${provision}/admin/ratings`,
  access: 'admin.rating-campaigns:read',
  summary: 'List ratings',
  description: 'Those that were given to what no campaign asked about, too.',
  query: listQuery,
  answer: pageOf(RatingRecord),
  filterable: ratingFilterFields.map(({ name }) => name),
  notSortable: ['campaignIds'],
})

const Prompt = Closed({
  campaignId: Uuid({ description: 'The rating campaign that asks.' }),
  featureId: Uuid({ description: "The feature's entry in the catalog, which the rating is sent with." }),
  featureCode: Type.String(),
  featureName: Type.String({ description: 'What people know the feature by.' }),
  productId: Uuid({ description: 'The product, which the rating is sent with, too.' }),
  question: Type.String({
    description: 'What to ask: the words of the campaign, or a generic question in English where it has none.',
  }),
  priority: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: "The campaign's; the lowest first." }),
})

export const ratingPrompt = contract({
  name: 'usage.sessions.ratingPrompt',
  method: 'GET',
  path: `${provision}/usage/sessions/{sessionId}/rating-prompt`,
  access: 'session',
  summary: 'Find out which feature to ask about next',
  description:
    'Of the features that running rating campaigns ask about and that the session is entitled to: the lowest priority first, then what was used last (`FeatureUsed` records tell). What has no priority comes last, and only once it was used. What the session or its user rated is not asked again in that campaign. Asking changes nothing.',
  params: Closed({ sessionId: Uuid({ description: 'The session, whose license token is sent.' }) }),
  answer: Closed({
    prompt: Type.Unsafe<Static<typeof Prompt> | null>({
      anyOf: [Prompt, { type: 'null' }],
      description: 'Null when there is nothing to ask.',
    }),
  }),
  problems: ['auth.insufficient_scope', ...standingRefusals],
})
