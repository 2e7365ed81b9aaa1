import { Type } from 'typebox'
import { NullableInstant, NullableUuid, Uuid } from '../../catalog-schema/scalars.ts'
import { Closed } from '../../catalog-schema/shapes.ts'
import { provision } from '../kit/contract.ts'
import { NullInstant } from '../kit/records/answers.ts'

/** A line of a report: these fields, all present and of no other kind than text, number or null. */
export const Line = Closed

export const Text = (description: string) => Type.String({ description })
export const NullText = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })
export const Count = (description: string) => Type.Integer({ description })
export const Quantity = (description: string) => Type.Number({ description })
export const NullQuantity = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })

/** The product that a line is of. */
export const productFields = {
  productId: Uuid({ description: 'The product.' }),
  productCode: Text('Its code.'),
  productVersion: NullText('Its version; null where it has none.'),
}

/** The product that a line is of, or none. */
export const nullableProductFields = {
  productId: NullableUuid({ description: 'The product.' }),
  productCode: NullText('Its code.'),
  productVersion: NullText('Its version; null where it has none.'),
}

const format = Type.Optional(
  Type.Union([Type.Literal('json'), Type.Literal('csv')], {
    description: 'csv answers the lines of the report alone, as text/csv. json unless asked.',
  }),
)

/** What a report takes that tells how things stand now. */
export const presentQuery = Closed({ format })

/** What a report takes that tells of a time. */
export const windowFields = {
  from: Type.Optional(NullableInstant({ description: 'Only what happened at this instant or later.' })),
  to: Type.Optional(NullableInstant({ description: 'Only what happened before this instant.' })),
  format,
}
export const windowQuery = Closed(windowFields)

/** What a report takes that tells of metered usage, which belongs to periods. */
export const periodWindowQuery = Closed({
  from: Type.Optional(
    NullableInstant({
      description:
        'Only the periods of metered usage that begin at this instant or later, each as a whole; else what happened then or later.',
    }),
  ),
  to: Type.Optional(
    NullableInstant({
      description:
        'Only the periods of metered usage that begin before this instant, each as a whole; else what happened before it.',
    }),
  ),
  format,
})

/** The time that a report tells of. */
export const windowAnswer = {
  from: NullInstant('Since when; null for since ever.'),
  to: NullInstant('Before when; null for until now.'),
}

/** How every report is asked for: it takes its turn on the thread for heavy operations, and holds up no request. */
export const reportBasis = { method: 'GET', access: 'admin.reports:read', lane: 'heavy' } as const

export const reportPath = (name: string) => `${provision}/admin/reports/${name}`
