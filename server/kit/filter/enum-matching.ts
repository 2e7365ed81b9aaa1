import { foldText } from './folding.ts'
import type { FilterOperator } from './grammar.ts'
import { FilterRefused, quoted } from './refusal.ts'

/** The values of an enumeration that one of the texts means under the operator, negation aside; a text that equals none is refused. */
export function listMeantValues(
  field: { name: string; values: readonly string[] },
  operator: FilterOperator,
  texts: string[],
) {
  const spelled = (text: string) => (operator.ignoresCase ? foldText(text) : text)
  const meant = new Set<string>()
  for (const text of texts.map(spelled)) {
    const matching = field.values.filter((value) => matches(operator, spelled(value), text))
    if (matching.length === 0 && operator.comparison === 'equals')
      throw new FilterRefused(
        '/filter',
        `${quoted(text)} is none of the values of the field ${quoted(field.name)}: ${field.values.join(', ')}`,
      )
    for (const value of matching) meant.add(value)
  }
  return [...meant]
}

function matches({ comparison }: FilterOperator, value: string, text: string) {
  switch (comparison) {
    case 'contains':
      return value.includes(text)
    case 'startsWith':
      return value.startsWith(text)
    case 'endsWith':
      return value.endsWith(text)
    default:
      return value === text
  }
}
