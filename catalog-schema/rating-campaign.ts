import { Code, Flag, Name, NullableInstant, NullableInt32, NullableText } from './scalars.ts'
import { type FullOf, IndexedList, ofProduct, Patchable } from './shapes.ts'

/** How a campaign asks about one feature, whichever way the feature is named. */
export const ratingTargetFields = {
  question: NullableText(1000, {
    description: 'What is asked; null or empty leaves the words to the application.',
    examples: ['How do you like the new export?'],
  }),
  priority: NullableInt32({
    description: 'What is asked first: the lowest. null comes after every number, and only once the feature was used.',
    examples: [1],
  }),
}

/** The fields of a rating campaign that mean the same on the wire and in a snapshot. */
export const ratingCampaignFields = {
  name: Name(200, {
    description: 'Identifies the campaign among those of an environment; end users never see it.',
    examples: ['Export survey'],
  }),
  description: NullableText(20_000, {
    description: 'Why end users are asked, for the people who read what they answered.',
  }),
  isEnabled: Flag({
    default: true,
    description: 'false asks nobody, whatever the time; true asks between startsAt and endsAt.',
  }),
  startsAt: NullableInstant({
    description: 'When it begins to ask, as an RFC 3339 date-time; null is at once.',
    examples: ['2026-09-01T00:00:00Z'],
  }),
  endsAt: NullableInstant({
    description: 'From when on it asks no more, as an RFC 3339 date-time after its beginning; null is never.',
    examples: ['2026-12-01T00:00:00Z'],
  }),
}

export const ratingCampaignItemFields = {
  ...ratingCampaignFields,
  targets: IndexedList(
    Patchable(
      {
        ...ofProduct,
        featureCode: Code({ description: 'Which feature of that product is asked about.', examples: ['EXPORT_STEP'] }),
        ...ratingTargetFields,
      },
      ['productCode', 'featureCode'],
      { description: 'A feature that is asked about.' },
    ),
    { description: 'The features that are asked about, each once; the list is replaced whole.' },
  ),
}
export type RatingCampaign = FullOf<typeof ratingCampaignItemFields>
export const RatingCampaignItem = Patchable(ratingCampaignItemFields, ['name'], {
  description: 'A transient ask, for how end users like some features.',
})
