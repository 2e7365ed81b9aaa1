import { foldText } from '../../../catalog-schema/folding.ts'
import type { FilterOperator } from './grammar.ts'

/** The values of an enumeration that one of the texts means under the operator, negation aside; a text may mean none. */
export function listMeantValues(values: readonly string[], operator: FilterOperator, texts: string[]): string[] {
  const spelled = (text: string) => (operator.ignoresCase ? foldText(text) : text)
  const sought = texts.map(spelled)
  return values.filter((value) => sought.some((text) => matches(operator, spelled(value), text)))
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
