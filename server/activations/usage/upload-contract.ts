import { Type } from 'typebox'
import { Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract, provision } from '../../kit/contract.ts'
import { TransactionRecord } from '../../metering/transactions/record.ts'
import { type ProblemName, problems } from '../../vocabulary/problems.ts'
import { standingRefusals } from './contract.ts'

const mostRecords = 1000

/** Whatever a record is, it is judged by itself: none is refused before it can be rejected. */
const Batch = Type.Unsafe<unknown[]>({
  type: 'array',
  maxItems: mostRecords,
  items: { anyOf: [{}, TransactionRecord] },
  description: 'The records, in the order in which they are to be taken; one that is not as it should be is rejected.',
})

const UploadAnswer = Type.Object({
  acknowledgedTransactionId: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description:
      'The highest id that was ever taken or rejected in the scopes of this batch: nothing up to it need be sent again. Null where there is none.',
  }),
  processed: Type.Integer({ description: 'How many records were taken now.' }),
  duplicates: Type.Integer({ description: 'How many were taken before, or stand earlier in this batch.' }),
  rejected: Type.Array(
    Type.Object({
      transactionId: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Null of a record that has none that could be read.',
      }),
      code: Type.Integer(),
      codeName: Type.Unsafe<ProblemName>({ type: 'string', enum: Object.keys(problems) }),
      message: Type.String({ description: 'What is wrong, and where in the record.' }),
    }),
    { description: 'Those that are not taken and never will be as they are. They are not kept.' },
  ),
})

const description = `At most ${mostRecords} records. Each is counted once, however often it is sent and in whatever batches: it is known by its session (or the entitlement, where it names none) and its transactionId, and the first one counts. One bad record holds up none of the others. The answer comes when all of it is durable.

\`UsageReported\` { metricName, amount, occurredAt } is usage that happened already: no limit refuses it, it counts in the period of \`occurredAt\` (of the record's creationDateTime without one) and may leave a balance unfunded. It is rejected when it is older than the metric's allowedBackDatingTolerance or more than 30 seconds in the future; up to that a device's clock is taken to be ahead, and it counts as of now. \`FeatureUsed\` { featureCode, occurredAt } tells rating prompts and reports that a feature was used, at that time (at that of its creationDateTime, or its arrival, without one); it is rejected when it is older than P3D or as far in the future. Events of any other name are kept as they come.`

export const uploadOfSession = contract({
  name: 'usage.sessions.transactions',
  method: 'POST',
  path: `${provision}/usage/sessions/{sessionId}/transactions`,
  access: 'session',
  summary: 'Upload what a session has noted',
  description,
  params: Closed({ sessionId: Uuid({ description: 'The session, whose license token is sent.' }) }),
  body: Batch,
  bodySlot: 'records',
  answer: UploadAnswer,
  problems: ['auth.insufficient_scope', ...standingRefusals],
})

/** What a client must be allowed that uploads for an entitlement. */
const uploadScope = 'operational.entitlements:update'

export const uploadOfEntitlement = contract({
  name: 'usage.entitlements.transactions',
  method: 'POST',
  path: `${provision}/usage/entitlements/{entitlementId}/transactions`,
  access: 'anyone',
  eitherToken: ['session', uploadScope],
  summary: 'Upload what was noted outside of a session, or in several',
  description: `With the license token of a session of the entitlement, or that of a client with ${uploadScope}, of which only the entitlement's existence is asked. ${description}`,
  params: Closed({ entitlementId: Uuid({ description: 'The entitlement.' }) }),
  body: Batch,
  bodySlot: 'records',
  answer: UploadAnswer,
  problems: uploadOfSession.problems,
})
