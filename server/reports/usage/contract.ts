import { Type } from 'typebox'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract } from '../../kit/contract.ts'
import {
  Count,
  Line,
  NullText,
  periodWindowQuery,
  productFields,
  Quantity,
  reportBasis,
  reportPath,
  Text,
  windowAnswer,
} from '../shapes.ts'

export const usageContract = contract({
  ...reportBasis,
  name: 'admin.reports.usage',
  path: reportPath('usage'),
  summary: 'Report usage and overage',
  description:
    'What all entitlements together used of each metric. Metered usage belongs to the period that it counts in: of a window, all of the periods that begin in it; what counts without periods is told only where there is no window. What is consumed of a balance belongs to its own time.',
  query: periodWindowQuery,
  answer: Closed({
    ...windowAnswer,
    metrics: Type.Array(
      Line({
        ...productFields,
        metricName: Text('The metric.'),
        kind: Type.Union([Type.Literal('Metered'), Type.Literal('Balance')], {
          description: 'How it is charged: by tiers, or from prepaid credits.',
        }),
        unit: NullText('What 1 stands for.'),
        entitlements: Count('Entitlements by which something was used.'),
        usage: Quantity('What was used, exactly; of a balance the credits that were paid.'),
        overage: Quantity(
          'What of the usage is in tiers that allow it as overage, or past the last tier, by the tiers of now; of a balance the credits that it could not pay, beside the usage, as they stand now.',
        ),
      }),
    ),
  }),
  csvLines: ['metrics'],
})
