import { type Expression, type SqlBool, sql } from 'kysely'
import { amountFunction } from './amounts.ts'
import { FilterRefused, quoted } from './refusal.ts'

type Named = {
  /** The name on the wire, dots allowed; found without regard to case. */
  name: string
  /** Set when the field may only be filtered, or only be sorted by. */
  only?: 'filter' | 'sort'
}

/**
 * A field kept in a column: texts, uuids, enumerations and durations as text, instants as epoch milliseconds, booleans as
 * 0 and 1, decimals as doubles, amounts as exact text. `canonical` is the stored spelling of a duration, or nothing when it
 * is none. Where the row has no such column, `workedOut` says how its value is found, and `column` is only its name. Of a
 * text that is kept sealed it can only be asked whether it is one of some: `isOneOf` knows.
 */
export type ColumnField = Named & { column: string; nullable: boolean; workedOut?: Expression<unknown> } & (
    | { type: 'text' }
    | { type: 'integer' | 'decimal' | 'amount' | 'boolean' | 'instant' | 'uuid' }
    | { type: 'enum'; values: readonly string[] }
    | { type: 'duration'; canonical: (text: string) => string | undefined }
    | { type: 'sealed'; isOneOf: (texts: readonly string[]) => Expression<SqlBool> }
  )

/** A field of many texts in a table of their own: `elements` is true of a record that has an element for which `match` holds. */
export type TextListField = Named & {
  type: 'textList'
  elements: (match: (element: Expression<string>) => Expression<SqlBool>) => Expression<SqlBool>
}

/** A field that a list may be filtered or sorted by. */
export type FilterField = ColumnField | TextListField

/** The value of a field in a query. */
export function fieldValue({ column, workedOut, type }: ColumnField): Expression<string> {
  const value = (workedOut ?? sql.ref<string>(column)) as Expression<string>
  return type === 'amount' ? sql<string>`${sql.raw(amountFunction)}(${value})` : value
}

/** The field that a filter term names; throws FilterRefused for any other name, whether such a column exists or not. */
export function getFilterField(fields: readonly FilterField[], name: string): FilterField {
  const field = findField(fields, name)
  if (!field || field.only === 'sort')
    throw new FilterRefused('/filter', `the field ${quoted(name)} cannot be filtered`)
  return field
}

/** The field that a sortOrder names; throws FilterRefused for any other name, lists included. */
export function getSortField(fields: readonly FilterField[], name: string): ColumnField {
  const field = findField(fields, name)
  if (!field || field.only === 'filter' || field.type === 'textList')
    throw new FilterRefused('/sortOrder', `the field ${quoted(name)} cannot be sorted by`)
  return field
}

function findField(fields: readonly FilterField[], name: string) {
  const sought = name.toLowerCase()
  return fields.find((field) => field.name.toLowerCase() === sought)
}
