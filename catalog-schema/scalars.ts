import { Type } from 'typebox'
import { numericPattern } from './numeric.ts'

/** What every scalar of the wire may carry beside its type: the text shown in the reference and in editors. */
interface Described {
  description?: string
  examples?: unknown[]
}

/** Text of at most `max` characters (code points). */
export const Text = (max: number, options: Described & { min?: number; pattern?: string; default?: string } = {}) => {
  const { min, ...rest } = options
  return Type.Unsafe<string>({ type: 'string', ...(min ? { minLength: min } : {}), maxLength: max, ...rest })
}

/** Text or null; null is "none". */
export const NullableText = (max: number, options: Described & { pattern?: string; default?: null } = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: max, default: null, ...options })

const namePattern = {
  pattern: '^(?!\\s)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+(?<!\\s)$',
  'x-pattern-words': 'must not begin or end with a blank, nor hold a control character',
}

/** A name that identifies a record within its scope: 1 to `max` characters, no control characters, no blanks at the ends. */
export const Name = (max: number, options: Described = {}) =>
  Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: max, ...namePattern, ...options })

const name = new RegExp(namePattern.pattern)

/** Whether a text is such a name of at most 200 characters. */
export const isName = (text: string): boolean => name.test(text) && [...text].length <= 200

/** A name of at most 200 characters. */
export const Code = (options: Described = {}) => Name(200, options)

export const NullableCode = (options: Described = {}) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 200,
    default: null,
    ...namePattern,
    ...options,
  })

/** A JSON number or a numeric string; held as the number it stands for, refused when a double would round it. */
export const Double = (options: Described & { minimum?: number; below?: number; default?: number } = {}) =>
  Type.Unsafe<number>({ type: ['number', 'string'], pattern: numericPattern, 'x-number': 'double', ...bounds(options) })

export const NullableDouble = (options: Described & { minimum?: number; below?: number } = {}) =>
  Type.Unsafe<number | null>({
    type: ['number', 'string', 'null'],
    pattern: numericPattern,
    'x-number': 'double',
    default: null,
    ...bounds(options),
  })

/** A JSON integer or a numeric string for one, within 32 bits. */
export const Int32 = (options: Described & { minimum?: number; default?: number } = {}) =>
  Type.Unsafe<number>({ type: ['number', 'string'], pattern: numericPattern, 'x-number': 'int32', ...bounds(options) })

export const NullableInt32 = (options: Described & { minimum?: number } = {}) =>
  Type.Unsafe<number | null>({
    type: ['number', 'string', 'null'],
    pattern: numericPattern,
    'x-number': 'int32',
    default: null,
    ...bounds(options),
  })

/** `minimum` would only be checked on numbers, not on numeric strings: the checker's number rule reads `x-minimum` and `x-below` after conversion. */
function bounds<T extends { minimum?: number; below?: number }>({ minimum, below, ...rest }: T) {
  return {
    ...(minimum === undefined ? {} : { 'x-minimum': minimum }),
    ...(below === undefined ? {} : { 'x-below': below }),
    ...rest,
  }
}

/** An RFC 3339 date-time; held in UTC with milliseconds. */
export const NullableInstant = (options: Described = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 40, 'x-instant': true, default: null, ...options })

/** An ISO 8601 duration; a .NET time span (`7.00:00:00`) is read too and held as ISO 8601. */
export const Duration = (options: Described & { default?: string } = {}) =>
  Type.Unsafe<string>({ type: 'string', maxLength: 40, 'x-duration': true, ...options })

export const NullableDuration = (options: Described = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 40, 'x-duration': true, default: null, ...options })

/** A duration of a second or longer, for what would be over before it began if it took no time. */
export const LastingDuration = (options: Described & { default: string }) =>
  Type.Unsafe<string>({ ...Duration(options), 'x-lasting': true })

export const NullableLastingDuration = (options: Described = {}) =>
  Type.Unsafe<string | null>({ ...NullableDuration(options), 'x-lasting': true })

/** A value kept as text; a number or boolean is read as its text. */
export const NullableValueText = (options: Described = {}) =>
  Type.Unsafe<string | null>({
    type: ['string', 'number', 'boolean', 'null'],
    maxLength: 65_536,
    'x-text': true,
    default: null,
    ...options,
  })

export const Flag = (options: Described & { default: boolean }) => Type.Unsafe<boolean>({ type: 'boolean', ...options })

/** One of a closed list, spelled exactly. */
export const OneOf = <const T extends readonly string[]>(
  values: T,
  options: Described & { default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

export const NullableOneOf = <const T extends readonly string[]>(values: T, options: Described = {}) =>
  Type.Unsafe<T[number] | null>({ type: ['string', 'null'], enum: [...values, null], default: null, ...options })

const uuid = { pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', 'x-pattern-words': 'must be a UUID' }

/** Whether a field of this schema is a UUID. */
export const isUuid = ({ pattern }: { pattern?: string }) => pattern === uuid.pattern

export const Uuid = (options: Described = {}) => Type.Unsafe<string>({ type: 'string', ...uuid, ...options })

export const NullableUuid = (options: Described = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], default: null, ...uuid, ...options })
