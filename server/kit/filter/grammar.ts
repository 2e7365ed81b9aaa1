import { checkFilterCount, checkFilterText } from './limits.ts'
import { FilterRefused, quoted } from './refusal.ts'

/** What is asked of a value, apart from negation and case. */
type Comparison = 'equals' | 'contains' | 'startsWith' | 'endsWith' | '>' | '<' | '>=' | '<='

/** One comparison written in a filter, as in `!@=*`. */
export type FilterOperator = { text: string; comparison: Comparison; negated: boolean; ignoresCase: boolean }

/** A value as written, escapes resolved; `isNull` for the bare word null in any case, which `\null` is not. */
type FilterValue = { text: string; isNull: boolean }

/** Any of the names, compared with the values: any of them, or none of them when the operator is negated. */
export type FilterTerm = { names: string[]; operator: FilterOperator; values: FilterValue[] }

const comparisons: Record<string, Comparison> = {
  '==': 'equals',
  '!=': 'equals',
  '@=': 'contains',
  '_=': 'startsWith',
  '_-=': 'endsWith',
  '>': '>',
  '<': '<',
  '>=': '>=',
  '<=': '<=',
}
const operatorPattern = /(?:!?(?:_-=|_=|@=)|[!=]=)\*?|[<>]=?/
const escapePattern = /\\([,|\\()=!<>@_*-])/g

/** The terms of a Sieve filter, all of which must hold; empty terms between commas are skipped. Throws FilterRefused. */
export function parseFilter(text: string): FilterTerm[] {
  checkFilterText('/filter', text)
  // Escaped characters are blanked, so that what is found in the mask is meant as syntax; NUL stands in no accepted text.
  const mask = text.replace(escapePattern, '\0\0')
  const terms = splitSpans(mask, { start: 0, end: mask.length }, ',').filter((span) => textOf(mask, span) !== '')
  checkFilterCount('/filter', 'terms', terms.length)
  const parsed = terms.map((span) => parseTerm(text, mask, span))
  const valueCount = parsed.reduce((count, term) => count + term.values.length, 0)
  checkFilterCount('/filter', 'values', valueCount)
  return parsed
}

type Span = { start: number; end: number }

function parseTerm(text: string, mask: string, term: Span): FilterTerm {
  const refuse = (what: string) => {
    throw new FilterRefused('/filter', `the term ${quoted(textOf(text, term))} at character ${term.start + 1} ${what}`)
  }
  const found = operatorPattern.exec(mask.slice(term.start, term.end))
  if (!found) return refuse('has no operator, such as == or @=')
  if (textOf(mask, term).endsWith('\\'))
    return refuse('ends with a \\ that escapes nothing; write \\\\ for one that is meant')
  const operatorAt = term.start + found.index
  const values = { start: operatorAt + found[0].length, end: term.end }
  const second = operatorPattern.exec(mask.slice(values.start, values.end))
  if (second) return refuse(`has a second operator ${second[0]}; write \\ before one that belongs to the value`)
  const names = parseNames(text.slice(term.start, operatorAt))
  if (!names) return refuse('does not start with a field, or with fields as in (a|b)')
  return {
    names,
    operator: parseOperator(found[0]),
    values: splitSpans(mask, values, '|').map((span) => parseValue(textOf(text, span))),
  }
}

/** The names of `a`, `a|b` or `(a|b)`; nothing when one is empty or a bracket stands alone. */
function parseNames(text: string) {
  const bracketed = /^\s*\(([^()]*)\)\s*$/.exec(text)
  const names = (bracketed?.[1] ?? text).split('|').map((name) => name.trim())
  return names.some((name) => name === '' || /[()]/.test(name)) ? undefined : names
}

function parseOperator(text: string): FilterOperator {
  const ignoresCase = text.endsWith('*')
  const plain = ignoresCase ? text.slice(0, -1) : text
  const negated = plain.startsWith('!')
  const comparison = comparisons[plain] ?? comparisons[plain.slice(1)]!
  return { text, comparison, negated, ignoresCase }
}

function parseValue(text: string): FilterValue {
  if (/^\\null$/i.test(text)) return { text: text.slice(1), isNull: false }
  return { text: text.replace(escapePattern, '$1'), isNull: /^null$/i.test(text) }
}

function splitSpans(mask: string, span: Span, separator: ',' | '|') {
  const spans: Span[] = []
  let start = span.start
  for (let at = span.start; at < span.end; at++) {
    if (mask[at] !== separator) continue
    spans.push({ start, end: at })
    start = at + 1
  }
  spans.push({ start, end: span.end })
  return spans
}

function textOf(text: string, span: Span) {
  return text.slice(span.start, span.end).replace(/^ +| +$/g, '')
}
