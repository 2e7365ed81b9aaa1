import { Type } from 'typebox'
import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract } from '../../kit/contract.ts'
import { NullInstant } from '../../kit/records/answers.ts'
import { Count, Line, NullText, reportBasis, reportPath, Text, windowAnswer, windowQuery } from '../shapes.ts'

export const campaignsContract = contract({
  ...reportBasis,
  name: 'admin.reports.campaigns',
  path: reportPath('campaigns'),
  summary: 'Report what campaigns led to',
  description: 'How many entitlements were made because of each campaign, and what has become of them.',
  query: windowQuery,
  answer: Closed({
    ...windowAnswer,
    campaigns: Type.Array(
      Line({
        campaignId: Uuid({ description: 'The campaign.' }),
        campaignName: Text('Its name.'),
        source: NullText('Where it reaches people.'),
        startsAt: NullInstant('When it begins.'),
        endsAt: NullInstant('When it is over.'),
        issued: Count('Entitlements that were made because of it.'),
        live: Count('Of those: live now (Active or Suspended), and paid for.'),
        trials: Count('Of those: live now, and trials.'),
        firstIssuedAt: NullInstant('When the first of them was made.'),
        lastIssuedAt: NullInstant('When the last of them was made.'),
      }),
    ),
  }),
  csvLines: ['campaigns'],
})
