import { type Expression, type SqlBool, sql } from 'kysely'
import { amountFunction } from './amounts.ts'
import { listMeantValues } from './enum-matching.ts'
import { type ColumnField, type FilterField, fieldValue, getFilterField, type TextListField } from './fields.ts'
import type { FilterOperator, FilterTerm } from './grammar.ts'
import { FilterRefused, quoted } from './refusal.ts'
import { type ScalarType, toStoredValue } from './stored-values.ts'
import { anyOf, matchText } from './text-matching.ts'

/** True of the records for which every term holds; throws FilterRefused for a field, operator or value that does not fit. */
export function toCondition(terms: FilterTerm[], fields: readonly FilterField[]): Expression<SqlBool> {
  const conditions = terms.map((term) => {
    const named = new Set(term.names.map((name) => getFilterField(fields, name)))
    return anyOf([...named].map((field) => sql<SqlBool>`(${conditionOn(field, term)})`))
  })
  return conditions.length === 0 ? sql`1 = 1` : (sql.join(conditions, sql` and `) as unknown as Expression<SqlBool>)
}

function conditionOn(field: FilterField, { operator, values }: FilterTerm) {
  // The word null means a missing value where it can be equal to one; "contains null" looks for the word.
  const asksMissing = operator.comparison === 'equals' && values.some(({ isNull }) => isNull)
  const texts = values.filter(({ isNull }) => !(isNull && asksMissing)).map(({ text }) => text)
  return field.type === 'textList'
    ? conditionOnList(field, operator, texts, asksMissing)
    : conditionOnColumn(field, operator, texts, asksMissing)
}

/** A missing value is neither equal nor unequal to a present one, so every negated operator leaves it out. */
function conditionOnColumn(field: ColumnField, operator: FilterOperator, texts: string[], asksMissing: boolean) {
  const column = fieldValue(field)
  const matches = texts.length === 0 ? [] : [matchColumn(field, column, operator, texts)]
  if (operator.negated) return sql<SqlBool>`${column} is not null and not (${anyOf(matches)})`
  return anyOf(asksMissing ? [sql<SqlBool>`${column} is null`, ...matches] : matches)
}

/** A list matches when any element does, and a negated operator when none does; it is missing when it has no element. */
function conditionOnList(field: TextListField, operator: FilterOperator, texts: string[], asksMissing: boolean) {
  if (isOrder(operator)) return refuseOperator(field, operator)
  const matches = texts.length === 0 ? [] : [field.elements((element) => matchText(element, operator, texts))]
  const any = field.elements(() => sql<SqlBool>`1 = 1`)
  if (operator.negated)
    return asksMissing ? sql<SqlBool>`${any} and not (${anyOf(matches)})` : sql<SqlBool>`not (${anyOf(matches)})`
  return anyOf(asksMissing ? [sql<SqlBool>`not (${any})`, ...matches] : matches)
}

function matchColumn(field: ColumnField, column: Expression<string>, operator: FilterOperator, texts: string[]) {
  if (field.type === 'text') return matchText(column, operator, texts)
  if (field.type === 'sealed')
    return operator.comparison === 'equals' ? field.isOneOf(texts) : refuseOperator(field, operator)
  if (field.type === 'enum') {
    if (isOrder(operator)) return refuseOperator(field, operator)
    const meant = listMeantValues(field.values, operator, texts)
    return meant.length === 0
      ? anyOf([])
      : sql<SqlBool>`${column} in (${sql.join(meant.map((value) => toSqlValue('uuid', value)))})`
  }
  if (field.type === 'duration' && isText(operator)) return matchText(column, operator, texts)
  if (operator.comparison !== 'equals' && !(isOrder(operator) && ordered.has(field.type)))
    return refuseOperator(field, operator)
  const values = texts.map((text) => toSqlValue(field.type, toStoredValue(field, text)))
  if (operator.comparison === 'equals') return sql<SqlBool>`${column} in (${sql.join(values)})`
  return anyOf(values.map((value) => sql<SqlBool>`${column} ${sql.raw(operator.text)} ${value}`))
}

const ordered = new Set<FilterField['type']>(['integer', 'decimal', 'amount', 'instant', 'uuid'])

const isText = (operator: FilterOperator) => operator.comparison !== 'equals' && !isOrder(operator)

function isOrder({ comparison }: FilterOperator) {
  return comparison === '>' || comparison === '<' || comparison === '>=' || comparison === '<='
}

/** Values are cast so that PostgreSQL never infers a narrower type for them than the field's. */
function toSqlValue(type: ScalarType, value: string | number) {
  if (type === 'amount') return sql`${sql.raw(amountFunction)}(cast(${value} as text))`
  const sqlTypes = {
    integer: 'bigint',
    boolean: 'bigint',
    instant: 'bigint',
    decimal: 'double precision',
    uuid: 'text',
    duration: 'text',
  }
  return sql`cast(${value} as ${sql.raw(sqlTypes[type])})`
}

function refuseOperator(field: FilterField, operator: FilterOperator): never {
  throw new FilterRefused('/filter', `the field ${quoted(field.name)} cannot be compared with ${operator.text}`)
}
