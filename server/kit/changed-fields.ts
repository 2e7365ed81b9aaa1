import { pathSegment } from '../../catalog-schema/member-names.ts'
import { isFields } from './withheld-secrets.ts'

type Fields = Record<string, unknown>

/**
 * What differs between two documents, each place by its JSON pointer (RFC 6901): what stood there, and what stands there
 * now. Lists of objects are compared place by place, any other list is one value; absent and null are the same.
 */
export function changedFields(before: unknown, after: unknown): { before: Fields; after: Fields } {
  const changed: { before: Fields; after: Fields } = { before: {}, after: {} }
  const compare = (one: unknown, other: unknown, pointer: string): void => {
    const members = membersOf(one, other)
    if (members)
      for (const name of members)
        compare((one as Fields)[name], (other as Fields)[name], `${pointer}/${pathSegment(name)}`)
    else if (JSON.stringify(one ?? null) !== JSON.stringify(other ?? null)) {
      if (one !== undefined) changed.before[pointer] = one
      if (other !== undefined) changed.after[pointer] = other
    }
  }
  compare(before, after, '')
  return changed
}

/** The names, or places, at which two values are compared; none when they are compared whole. */
function membersOf(one: unknown, other: unknown): Iterable<string> | undefined {
  const bothLists = isListOfFields(one) && isListOfFields(other)
  if (!bothLists && !(isFields(one) && isFields(other))) return undefined
  return new Set([...Object.keys(one), ...Object.keys(other)])
}

const isListOfFields = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isFields)
