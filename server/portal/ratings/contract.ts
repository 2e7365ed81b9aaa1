import { NullableInt32, NullableText, NullableUuid, Uuid } from '../../../catalog-schema/scalars.ts'
import { standingRefusals } from '../../activations/usage/contract.ts'
import { RatingRecord } from '../../feedback/ratings/contract.ts'
import { contract, provision } from '../../kit/contract.ts'
import { bodyOf } from '../../kit/records/body.ts'

export const submitOwnRating = contract({
  name: 'consumer.ratings.submit',
  method: 'POST',
  path: `${provision}/consumer/me/rating`,
  access: 'anyone',
  eitherToken: ['session', 'user'],
  summary: 'Rate a feature, or a product as a whole',
  description:
    "With the license token of the session, or the token of the user who activated it: the session must be the caller's own. It counts for every rating campaign about the feature that has begun, and is kept without one, too.",
  body: bodyOf(
    {
      sessionId: Uuid({ description: 'The license session in which it was used.' }),
      productId: NullableUuid({
        description:
          'A product that the session licenses; needed where more than one has the feature, or for one of several as a whole.',
      }),
      featureId: NullableUuid({
        description:
          "The feature's entry in the catalog, as the rating prompt names it, or the id that it has on the product or the entitlement; a UUID of zeros is for the product as a whole.",
      }),
      featureCode: NullableText(200, {
        description:
          'The feature by its code: needed where there is no featureId, and of the same feature where there is. Not read for the product as a whole.',
      }),
      rating: NullableInt32({ minimum: 1, description: 'From 1 to 5; null with a remark alone.' }),
      remark: NullableText(4000, { description: 'What there is to say; needed without a rating.' }),
    },
    ['sessionId'],
  ),
  answer: RatingRecord,
  problems: ['auth.unauthenticated', 'auth.insufficient_scope', ...standingRefusals],
})
