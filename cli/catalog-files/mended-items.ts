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
    const found = fieldAt(mended, inner)
    // What stands in a list stays there: places are told by where it stands.
    if (!found) return undefined
    const { object, name } = found
    delete object[name]
    gaps.push({ object: parentOf(inner), fields: suggestion === undefined ? [name] : [name, suggestion] })
  }
  if (keyOf(kind, mended) !== key || itemChecks[kind](mended).length > 0) return undefined
  return { located: { kind, key, item: mended, origin }, gaps }
}

/** A misshapen item as it was probably meant, under the key that others probably mean by it. */
export function meantItem(
  { kind, item, origin }: LocatedItem,
  findings: readonly UnframedFinding[],
  keyOf: KeyOf,
): LocatedItem {
  const meant = structuredClone(item)
  for (const { pointer, suggestion } of findings) {
    const found = fieldAt(meant, pointer.slice(origin.pointer.length))
    if (!found || suggestion === undefined) continue
    const { object, name } = found
    const [, text] = /^'(.*)'$/.exec(suggestion) ?? []
    if (text === undefined) object[suggestion] ??= object[name]
    else object[name] = text
  }
  return { kind, key: keyOf(kind, meant), item: meant, origin }
}

/** The field at a pointer into an item, and the object that has it; undefined for what has no name, as in a list. */
function fieldAt(item: object, pointer: string): { object: Record<string, unknown>; name: string } | undefined {
  const names = pointerNames(pointer)
  const name = names.pop()
  const object = names.reduce<unknown>((at, each) => (at as Record<string, unknown> | undefined)?.[each], item)
  if (name === undefined || typeof object !== 'object' || object === null || Array.isArray(object)) return undefined
  return { object: object as Record<string, unknown>, name }
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
