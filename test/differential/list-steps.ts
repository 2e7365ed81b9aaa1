import { contracts } from './contracts.ts'
import type { Draw } from './draw.ts'
import type { Known } from './known.ts'
import { kindOf, type StepKind, stepKind } from './steps.ts'
import { partOf, word } from './values.ts'

const comparisons = ['==', '!=', '>', '<', '>=', '<=']
const matches = ['@=', '_=', '_-=', '!@=', '!_=', '!_-=', '@=*', '_=*', '_-=*', '==*', '!=*', '!@=*', '!_=*', '!_-=*']

/** A value as a filter has it: what it means there is escaped. */
const escaped = (value: string) => value.replaceAll(/[\\,|()]/g, '\\$&')

function term(draw: Draw, known: Known, kind: string, fields: readonly string[]): string {
  const field = draw.oneOf(fields)
  const value = () => {
    const found = known.value(kind, field)
    if (draw.chance(0.06)) return 'null'
    if (draw.chance(0.1) || found === undefined || found === null) return escaped(word(draw))
    if (Array.isArray(found)) return escaped(String(found[0] ?? 'beta'))
    const whole = typeof found === 'object' ? word(draw) : String(found)
    return escaped(draw.chance(0.4) && !whole.startsWith('‹') ? partOf(draw, whole) : whole)
  }
  const named = draw.chance(0.05) ? `(${field}|${draw.oneOf(fields)})` : draw.chance(0.1) ? field.toUpperCase() : field
  const values = [value(), ...draw.several(1, value)]
  const isText = !/^(\d|-|true|false|null)/.test(values[0]!) || draw.chance(0.1)
  return `${named}${draw.oneOf(draw.chance(0.4) || !isText ? comparisons : matches)}${values.join('|')}`
}

/** What a list is asked for as a filter, an order and a page. */
export function listing(draw: Draw, known: Known, operation: string) {
  const { filterable = [], notSortable = [] } = contracts.get(operation)!
  // What each world draws by itself has no order that both would have.
  const sortable = filterable.filter((one) => !notSortable.includes(one) && !/^(activationCode|licenseKey)$/.test(one))
  const order = () => (draw.chance(0.5) ? '-' : '') + draw.oneOf(sortable)
  return {
    filter: draw.maybe(0.7, () =>
      [1, ...draw.several(1, () => 1)].map(() => term(draw, known, kindOf(operation), filterable)).join(','),
    ),
    sortOrder: draw.maybe(0.7, () => [order(), ...draw.several(1, order)].join(',')),
    pageSize: draw.maybe(0.6, () => draw.oneOf([1, 3, 5, '10', 100, 1000])),
    pageNumber: draw.maybe(0.3, () => draw.oneOf([1, 2, 3, '2'])),
  }
}

/** Every list of the back office that is not one of a record's own. */
export const listSteps: StepKind[] = [...contracts.values()]
  .filter(({ filterable, params, access }) => filterable && !params && access !== 'user' && access !== 'session')
  .map(({ name }) => stepKind(name, 0.5))
