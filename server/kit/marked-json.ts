import { asRounded } from '../../catalog-schema/strict-json.ts'
import { PlainInput } from './input.ts'

/** Stands before a number that a double would round, as text, on its way through tRPC's own reading: no text that was read strictly has a NUL. */
const mark = '\0'

/** What was read strictly, as JSON that is read once more: a number that was read as text is still told from a text. */
export function toMarkedJson(value: unknown): string {
  const asDoubles = asRounded(value)
  const marked = (text: string, double: unknown) => (typeof double === 'number' ? mark + text : text)
  return JSON.stringify(asDoubles === undefined ? value : mapTexts(value, marked, asDoubles))
}

/** A call's input as tRPC has read such JSON. */
export function fromMarked(read: unknown): PlainInput {
  let isMarked = false
  const value = mapTexts(read, (text) => {
    if (!text.startsWith(mark)) return text
    isMarked = true
    return text.slice(mark.length)
  })
  const double = (text: string) => (text.startsWith(mark) ? Number(text.slice(mark.length)) : text)
  return new PlainInput(value, isMarked ? mapTexts(read, double) : undefined)
}

/** The value with its texts changed, each shown what stands in its place in another value of the same form. */
function mapTexts(value: unknown, change: (text: string, beside: unknown) => unknown, beside?: unknown): unknown {
  if (typeof value === 'string') return change(value, beside)
  if (typeof value !== 'object' || value === null) return value
  const at = (place: string | number) => (beside as Record<string | number, unknown> | undefined)?.[place]
  if (Array.isArray(value)) return value.map((one, index) => mapTexts(one, change, at(index)))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, change, at(name))]))
}
