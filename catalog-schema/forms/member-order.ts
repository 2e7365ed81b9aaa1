import { byName } from '../member-names.ts'
import type { Fields } from './form.ts'

/** Members by their sort number, then by name; the same list when it is in that order already. */
export function inCanonicalOrder(
  members: unknown[],
  sortField: string | undefined,
  nameOf: (member: unknown) => string,
): unknown[] {
  const rankOf = (member: unknown) => (sortField ? Number((member as Fields)[sortField]) : 0)
  const compare = (a: unknown, b: unknown) => rankOf(a) - rankOf(b) || byName(nameOf(a), nameOf(b))
  for (let index = 1; index < members.length; index++)
    if (compare(members[index - 1], members[index]) > 0) return members.toSorted(compare)
  return members
}

/**
 * Names in an order of the writer's own. Where both lists agree on what they share, the stored order stays and each new
 * name follows the one it was written after; where they don't, the given order rules and what only the stored list has
 * comes last.
 */
export function keepingOrder(stored: readonly string[], given: readonly string[]): string[] {
  const [has, wanted] = [new Set(stored), new Set(given)]
  const shared = stored.filter((name) => wanted.has(name))
  const sharedAsGiven = given.filter((name) => has.has(name))
  if (shared.some((name, index) => name !== sharedAsGiven[index]))
    return [...given, ...stored.filter((name) => !wanted.has(name))]
  const followers = new Map<string | undefined, string[]>()
  let last: string | undefined
  for (const name of given) {
    if (has.has(name)) last = name
    else if (followers.has(last)) followers.get(last)!.push(name)
    else followers.set(last, [name])
  }
  return [...(followers.get(undefined) ?? []), ...stored.flatMap((name) => [name, ...(followers.get(name) ?? [])])]
}
