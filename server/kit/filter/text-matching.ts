import { type Expression, type SqlBool, sql } from 'kysely'
import { foldText } from '../../../catalog-schema/folding.ts'
import { foldFunction } from './folding.ts'
import type { FilterOperator } from './grammar.ts'

/**
 * True of a text that compares with one of the values as the operator says, its negation aside. Every form means the same
 * on SQLite and PostgreSQL and takes the value literally; order is by code point, as text columns are declared.
 */
export function matchText(
  subject: Expression<string>,
  operator: FilterOperator,
  values: string[],
): Expression<SqlBool> {
  const sought = operator.ignoresCase ? values.map(foldText) : values
  const text = operator.ignoresCase ? folded(subject, sought) : subject
  if (operator.comparison === 'equals') return sql`${text} in (${sql.join(sought.map(toSqlText))})`
  return anyOf(sought.map((value) => (operator.ignoresCase ? matchFolded : matchExactly)(text, operator, value)))
}

/** What becomes an ASCII letter although it is none. */
const becomeAscii = { k: '\u212a', i: '\u0130' }

/**
 * The text folded, as far as what is sought can tell: our own function is called back for each row, which takes longer than
 * all else of the query, and ASCII letters are lower-cased by the database itself.
 */
function folded(subject: Expression<string>, sought: string[]): Expression<string> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  if (!sought.every((value) => /^[\x01-\x7f]*$/.test(value))) return sql`${sql.raw(foldFunction)}(${subject})`
  const replaced = Object.entries(becomeAscii)
    .filter(([letter]) => sought.some((value) => value.includes(letter)))
    .reduce((text, [letter, from]) => sql<string>`replace(${text}, ${sql.lit(from)}, ${sql.lit(letter)})`, subject)
  return sql`lower(${replaced})`
}

/** One of the conditions, as a balanced tree: SQLite refuses expressions deeper than 1,000. */
export function anyOf(conditions: Expression<SqlBool>[]): Expression<SqlBool> {
  if (conditions.length === 0) return sql<SqlBool>`1 = 0`
  if (conditions.length === 1) return conditions[0]!
  const middle = conditions.length >> 1
  return sql`(${anyOf(conditions.slice(0, middle))} or ${anyOf(conditions.slice(middle))})`
}

function matchExactly(text: Expression<string>, { comparison }: FilterOperator, value: string): Expression<SqlBool> {
  const sought = toSqlText(value)
  const length = sql.lit([...value].length)
  switch (comparison) {
    case 'contains':
      return value === '' ? sql`${text} is not null` : sql`replace(${text}, ${sought}, '') <> ${text}`
    case 'startsWith':
      return sql`substr(${text}, 1, ${length}) = ${sought}`
    case 'endsWith':
      return sql`substr(${text}, length(${text}) + 1 - ${length}) = ${sought}`
    default:
      return sql`${text} ${sql.raw(comparison)} ${sought}`
  }
}

/** LIKE folds ASCII letters on SQLite only, which makes no difference between folded texts, and reads the folded text once. */
function matchFolded(text: Expression<string>, { comparison }: FilterOperator, value: string): Expression<SqlBool> {
  const literal = value.replace(/[!%_]/g, '!$&')
  const before = comparison === 'startsWith' ? '' : '%'
  const after = comparison === 'endsWith' ? '' : '%'
  return sql`${text} like ${toSqlText(before + literal + after)} escape '!'`
}

function toSqlText(value: string) {
  return sql<string>`cast(${value} as text)`
}
