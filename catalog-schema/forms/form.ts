import type { Place } from './place.ts'

/** One difference between two items: an RFC 6901 pointer whose segments are names, and the values on both sides (null: nothing there). */
export interface Change {
  path: string
  before: unknown
  after: unknown
}

/** What a merge notices on its way. */
export interface Notes {
  /** A member that only the stored value has; it stays. */
  kept(place: Place): void
  /** A member that the given list names more than once. */
  repeated(place: Place): void
}

/** How values of one schema are completed, merged and compared. No value is ever changed in place. */
export interface Form {
  /** Of a scalar, which is kept as it is given: what it is when nothing is given. */
  scalar?: { empty: unknown }
  /** Whether a merge can notice anything in it: whether there are lists of named members inside. */
  isNoticing: boolean
  /**
   * The canonical value that a given one makes of the stored one: absent fields stay (their default, where nothing is
   * stored), lists of named members are merged by name. It is the stored value itself when nothing differs.
   */
  merge(before: unknown, given: unknown, place: Place | undefined, notes: Notes): unknown
  /** The differences between two canonical values. */
  changes(before: unknown, after: unknown, path: string, report: (change: Change) => void): void
}

/** What a form reads of a schema: its structure, and the keywords that say how lists and objects are told apart. */
export interface FormSchema {
  type?: string | string[]
  properties?: Record<string, FormSchema>
  additionalProperties?: boolean | FormSchema
  items?: FormSchema
  default?: unknown
  /** The fields by which the members of a list are told apart. */
  'x-named-by'?: readonly string[]
  /** The number by which named members are ordered, before their names. */
  'x-sorted-by'?: string
  /** The order of named members is the writer's own. */
  'x-keeps-order'?: boolean
  /** A list that is one value, compared index by index. */
  'x-indexed'?: boolean
  'x-tags'?: boolean
  /** An object whose keys are names. */
  'x-map'?: boolean
  /** An object that is one value. */
  'x-whole'?: boolean
}

export type FormOf = (schema: FormSchema) => Form
export type Fields = Record<string, unknown>

/** Whether two plain values are alike, letter by letter and whatever the order of their keys. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && sameValue((a as Fields)[key], (b as Fields)[key]))
}

/** Whether two lists hold the very same members in the same order. */
export const sameMembers = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((member, index) => member === b[index])
