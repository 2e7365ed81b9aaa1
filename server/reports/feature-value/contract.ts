import { Type } from 'typebox'
import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract } from '../../kit/contract.ts'
import {
  Count,
  Line,
  NullQuantity,
  NullText,
  periodWindowQuery,
  productFields,
  Quantity,
  reportBasis,
  reportPath,
  Text,
  windowAnswer,
} from '../shapes.ts'

export const featureValueContract = contract({
  ...reportBasis,
  name: 'admin.reports.featureValue',
  path: reportPath('feature-value'),
  summary: 'Report the value of features',
  description:
    'What each feature was worth to those who used it: how much it was used, times the valueScore that it has now, so that another score values the past anew. A feature with a metric is used by units of it, any other by FeatureUsed records. Metered units belong to the period that they count in: of a window, all of the periods that begin in it; what counts without periods is told only where there is no window. One without a score was worth nothing that is known.',
  query: periodWindowQuery,
  answer: Closed({
    ...windowAnswer,
    features: Type.Array(
      Line({
        ...productFields,
        featureId: Uuid({ description: 'The entry of the feature catalog.' }),
        featureCode: Text('Its code.'),
        featureName: Text('Its name.'),
        metricName: NullText('The metric that its usage is reported under.'),
        entitlements: Count('Entitlements that used it.'),
        used: Quantity('FeatureUsed records; of a feature with a metric, units of it.'),
        valueScore: NullQuantity('Its weight now; null where it is not valued.'),
        value: NullQuantity('Used times valueScore, exactly.'),
        share: NullQuantity('Its part of the value of all features, 0 to 1.'),
      }),
      { description: 'The features that have a valueScore or were used, the most valuable first.' },
    ),
  }),
  csvLines: ['features'],
})
