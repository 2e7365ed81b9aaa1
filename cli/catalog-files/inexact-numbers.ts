import { numericPattern } from '../../catalog-schema/numeric.ts'
import { isObject } from '../json-objects.ts'
import type { Composed } from './composing.ts'
import { pointerNames, pointersOf } from './locating.ts'
import type { Refuse } from './refusals.ts'
import { findScalarRefusal } from './scalars.ts'
import { holdsText, keepsText } from './text-fields.ts'

/**
 * Puts the numbers of a document that have more digits than a double keeps into their fields as they are written, where
 * a field keeps text, as the server does of a body; refuses them anywhere else. Answers the nodes of those it put.
 */
export function settleInexact(source: string, { value, table, inexact }: Composed, refuse: Refuse): Set<number> {
  const pointers = inexact.length > 0 ? pointersOf(source, table, inexact) : []
  const kept = new Set<number>()
  for (const [index, node] of inexact.entries()) {
    const [start, end, pointer = ''] = [table.start[node]!, table.end[node]!, pointers[index]]
    const written = source.slice(start, end)
    if (numeric.test(written) && keepsText(pointer)) {
      put(value, pointer, written)
      kept.add(node)
    } else
      refuse('lost-digits', start, end, () => {
        const { message } = findScalarRefusal(written)!
        return holdsText(pointer) ? `${message} For text write '${written}'.` : message
      })
  }
  return kept
}

const numeric = new RegExp(numericPattern)

function put(within: unknown, pointer: string, value: string): void {
  const names = pointerNames(pointer)
  const last = names.pop()!
  const holder = names.reduce((found, name) => (found as Record<string, unknown> | undefined)?.[name], within)
  if (isObject(holder)) holder[last] = value
}
