import { itemChecks } from '../../catalog-schema/snapshot.ts'
import type { UnframedFinding } from './findings.ts'
import type { KeyOf, LocatedItem } from './located-items.ts'
import { pointerNames } from './locating.ts'

/** An object of an item from which a field was taken: its name, and the one that was probably meant. */
interface Gap {
  object: string
  fields: readonly string[]
}

/** A misshapen item without the fields that are wrong, so that the others can be judged. */
export interface MendedItem {
  located: LocatedItem
  gaps: readonly Gap[]
}

/** The item without what was found wrong with its shape; undefined where that leaves none, or one of another key. */
export function mendItem(
  { kind, key, item, origin }: LocatedItem,
  findings: readonly UnframedFinding[],
  keyOf: KeyOf,
): MendedItem | undefined {
  const mended = structuredClone(item)
  const gaps: Gap[] = []
  for (const { pointer, suggestion } of findings) {
    const inner = pointer.slice(origin.pointer.length)
    const names = pointerNames(inner)
    const name = names.pop()
    const object = names.reduce<unknown>((at, each) => (at as Record<string, unknown> | undefined)?.[each], mended)
    // What stands in a list stays there: places are told by where it stands.
    if (name === undefined || typeof object !== 'object' || object === null || Array.isArray(object)) return undefined
    delete (object as Record<string, unknown>)[name]
    gaps.push({ object: parentOf(inner), fields: suggestion === undefined ? [name] : [name, suggestion] })
  }
  if (keyOf(kind, mended) !== key || itemChecks[kind](mended).length > 0) return undefined
  return { located: { kind, key, item: mended, origin }, gaps }
}

/** Whether what a rule says of a place in a mended item may only follow from what was taken away. */
export function mayFollow(pointer: string, isUnresolved: boolean, gaps: readonly Gap[]): boolean {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  return gaps.some(({ object, fields }) => {
    if (isUnresolved) return `${pointer}/`.startsWith(`${object}/`) && fields.some((field) => naming.test(field))
    const isBeside = object === pointer || object === parentOf(pointer)
    const [list] = /^.*\/(usageTiers|usageQuota)(?=\/|$)/.exec(object) ?? []
    return isBeside || fields.includes(name) || (list !== undefined && pointer.startsWith(list))
  })
}

/** The fields that name another item, for what is in their object, too. */
const naming = /(code|version|metric|metricName|planSetName|planName)$/i

const parentOf = (pointer: string) => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
