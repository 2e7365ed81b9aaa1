import type { FieldError } from '../../kit/problem.ts'

/**
 * The id of each given plan, by name: that of the stored plan which its id or else its name says, or a new one. An id
 * that no stored plan has, or that two given plans claim, is an error.
 */
export function assignPlanIds(
  given: readonly { id?: string | null; name: string }[],
  stored: readonly { id: string; name: string }[],
  newId: () => string,
): { ids: Map<string, string>; errors: FieldError[] } {
  const errors: FieldError[] = []
  const known = new Set(stored.map(({ id }) => id))
  const ids = new Map<string, string>()
  const claimed = new Set<string>()
  given.forEach((plan, index) => {
    const id = plan.id?.toLowerCase()
    if (id === undefined) return
    const pointer = `/plans/${index}/id`
    if (!known.has(id)) errors.push({ pointer, message: 'no plan of this set has that id' })
    else if (claimed.has(id)) errors.push({ pointer, message: 'another plan of this list has that id' })
    claimed.add(id)
    ids.set(plan.name, id)
  })
  const idByName = new Map(stored.map(({ id, name }) => [name, id]))
  for (const { id, name } of given) {
    if (typeof id === 'string') continue
    const kept = idByName.get(name)
    ids.set(name, kept !== undefined && !claimed.has(kept) ? kept : newId())
  }
  return { ids, errors }
}
