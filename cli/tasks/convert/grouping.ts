import type { LocatedRemark } from './joining.ts'

/** A place as editors open it: `file:line:col`. */
export const placeText = ({ file, line, col }: Pick<LocatedRemark, 'file' | 'line' | 'col'>) => `${file}:${line}:${col}`

/** One line for each kind of remark of a file, in the order of the first of each, with its place and how many there are. */
export function groupRemarks(remarks: readonly LocatedRemark[]): string[] {
  const groups = new Map<string, { first: LocatedRemark; count: number }>()
  for (const remark of remarks) {
    const kind = `${remark.file}\n${remark.subject}\n${remark.message}`
    const group = groups.get(kind)
    if (group) group.count++
    else groups.set(kind, { first: remark, count: 1 })
  }
  return [...groups.values()].map(({ first, count }) => {
    const more = count === 1 ? '' : ` (${count} places, this is the first)`
    return `${placeText(first)}: ${first.subject} ${first.message}${more}`
  })
}
