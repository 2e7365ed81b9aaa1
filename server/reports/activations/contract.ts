import { Type } from 'typebox'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract } from '../../kit/contract.ts'
import { Instant } from '../../kit/records/answers.ts'
import { Count, Line, reportBasis, reportPath, windowAnswer, windowFields } from '../shapes.ts'
import { intervals } from './intervals.ts'

const interval = Type.Unsafe<(typeof intervals)[number]>({
  type: 'string',
  enum: [...intervals],
  description: 'How long a line is, by the UTC calendar; a week begins on Monday.',
})

export const activationsContract = contract({
  ...reportBasis,
  name: 'admin.reports.activations',
  path: reportPath('activations'),
  summary: 'Report activations and seats over time',
  description:
    'How many sessions were activated in each day, week or month, how many ceased to hold a seat and why, and how many held one when it was over. A session that came back after its seat had lapsed counts from its first activation.',
  query: Closed({ ...windowFields, interval: Type.Optional({ ...interval, default: 'Day' }) }),
  answer: Closed({
    ...windowAnswer,
    interval,
    intervals: Type.Array(
      Line({
        start: Instant('When it began; of the first one only what happened since `from` is counted.'),
        activations: Count('Sessions that were activated.'),
        released: Count('Sessions that gave their seat back.'),
        revoked: Count('Sessions that were revoked.'),
        lapsed: Count('Sessions whose seat came free with time, and that did not come back.'),
        seats: Count('Sessions that held a seat when it was over; of the last one, now.'),
      }),
    ),
  }),
  csvLines: ['intervals'],
})
