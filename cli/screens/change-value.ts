import { readPathSegment } from '../../catalog-schema/member-names.ts'
import { visible } from '../visible-text.ts'

/**
 * A change as `before → after`, on one line: text quoted, nothing there as `none`, control characters visible, long
 * values shortened. Of two long texts, lists or objects the part where they begin to differ is shown.
 */
export function changeText(
  { path, before, after }: { path: string; before?: unknown; after?: unknown },
  most = 40,
): string {
  if (typeof before === 'string' && typeof after === 'string' && Math.max(before.length, after.length) > most) {
    const from = Math.max(0, sharedStart(before, after) - 8)
    return `${quotedFrom(before, from, most)} → ${quotedFrom(after, from, most)}`
  }
  const name = readPathSegment(path.split('/').at(-1) ?? '')
  const [left, right] = [unnamed(before, name), unnamed(after, name)]
  if (isStructure(left) && isStructure(right)) {
    const texts = [left, right].map((value) => [...visible(structureText(value))])
    const isLong = texts.some((text) => text.length > most)
    const from = isLong ? Math.max(0, sharedStart(texts[0]!, texts[1]!) - 11) : 0
    return texts.map((text) => shortened(`${from > 0 ? '…' : ''}${text.slice(from).join('')}`, most)).join(' → ')
  }
  return `${valueText(left, most)} → ${valueText(right, most)}`
}

/** Whether a whole member comes or goes: what it says stands nowhere else, so that more of it is shown. */
export const isWholeMember = ({ before, after }: { before?: unknown; after?: unknown }) =>
  (before == null && isStructure(after)) || (after == null && isStructure(before))

const isStructure = (value: unknown) => typeof value === 'object' && value !== null

/** A member without the field that its path already says. */
function unnamed(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== name))
}

/** One value on one line, shortened. */
export function valueText(value: unknown, most = 40): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'string') return quotedFrom(value, 0, most)
  if (typeof value !== 'object') return String(value)
  return shortened(visible(structureText(value)), most)
}

function structureText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(structureText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const spoken = tellingFirst(Object.entries(value).filter(([, field]) => !isEmpty(field)))
  return `{${spoken.map(([name, field]) => `${name}: ${structureText(field)}`).join(', ')}}`
}

/** The fields that say most of a member come first, since the line may be too short for all. */
function tellingFirst(fields: [string, unknown][]): [string, unknown][] {
  const rank = (name: string) => (telling.includes(name) ? telling.indexOf(name) : telling.length)
  return fields.toSorted(([a], [b]) => rank(a) - rank(b))
}

const telling = ['name', 'value', 'monthlyPrice', 'currency']
const isEmpty = (field: unknown) => field === null || (Array.isArray(field) && field.length === 0)

function quotedFrom(text: string, from: number, most: number): string {
  const characters = [...text.slice(from)]
  const shown = characters.slice(0, most).join('')
  return visible(`${from > 0 ? '…' : ''}${JSON.stringify(shown)}${characters.length > most ? '…' : ''}`)
}

function sharedStart(a: ArrayLike<string>, b: ArrayLike<string>): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}
