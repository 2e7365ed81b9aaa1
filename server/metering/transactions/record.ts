import { Type } from 'typebox'
import { numericPattern } from '../../../catalog-schema/numeric.ts'
import { NullableInstant, NullableInt32, NullableUuid, Text } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'

/** The longest eventData, in bytes of UTF-8. */
export const longestEventData = 65_536

/** A client transaction record: one thing that an application noted in its local store. */
export const TransactionRecord = Closed({
  transactionId: Type.Unsafe<number>({
    type: ['number', 'string'],
    pattern: numericPattern,
    'x-number': 'double',
    'x-minimum': 0,
    description:
      'A whole number from 0 to 2^53 - 1, counted up by the local store: it identifies the record within its session, or within the entitlement where it names no session.',
  }),
  sessionId: Type.Optional(NullableUuid({ description: 'The session that it was noted in.' })),
  apiVersion: Type.Optional(NullableInt32({ description: 'Kept as it comes.' })),
  creationDateTime: Type.Optional(NullableInstant({ description: 'When it was noted.' })),
  eventName: Text(200, { min: 1, description: 'What happened.', examples: ['UsageReported'] }),
  eventData: Text(longestEventData, {
    description: 'The event as JSON, at most 64 KiB and 64 levels deep.',
    examples: ['{"metricName":"exports","amount":3,"occurredAt":"2026-01-31T12:00:00Z"}'],
  }),
})
