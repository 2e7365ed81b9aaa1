import { type TProperties, Type } from 'typebox'

/** The data of an event: these fields, and in time others beside them, which receivers ignore. */
export const EventObject = <P extends TProperties>(fields: P) =>
  Type.Object({
    ...fields,
    _test: Type.Optional(
      Type.Unsafe<true>({
        type: 'boolean',
        const: true,
        description: 'There in an event that was fired as a test, which is not to be applied to anything real.',
      }),
    ),
  })

export const Id = (description: string) => Type.Unsafe<string>({ type: 'string', format: 'uuid', description })
export const NullId = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description })

export const Words = (description: string) => Type.Unsafe<string>({ type: 'string', description })
export const NullWords = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })

export const NullInstant = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })

export const Amount = (description: string) => Type.Unsafe<number>({ type: 'number', description })
export const NullAmount = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })

export const YesNo = (description: string) => Type.Unsafe<boolean>({ type: 'boolean', description })

export const Among = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description })
