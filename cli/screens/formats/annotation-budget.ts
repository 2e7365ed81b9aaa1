import type { Annotation } from './workflow-command.ts'

/** How many annotations of each level GitHub shows of one step; the rest would vanish without a word. */
export const budget = 10
const levels = ['error', 'warning', 'notice'] as const
const mostOthers = 5

/** An annotation that may stand for several that are alike. */
interface Slot {
  annotation: Annotation
  count: number
}

/** What makes annotations alike, so that they can share a slot where there are too many. */
export type Likeness = (annotation: Annotation) => string

/**
 * The annotations that GitHub shows, the given order kept within each level and the worst level first. Where there are
 * too many of a level, those that are alike share one, by one likeness after another; where that is not enough, the
 * last one says how many more there are, and `rest` where to read them.
 */
export function withinBudget(
  annotations: readonly Annotation[],
  likenesses: readonly Likeness[],
  rest: string,
): Annotation[] {
  return levels.flatMap((level) => {
    let slots: Slot[] = annotations
      .filter((each) => each.level === level)
      .map((annotation) => ({ annotation, count: 1 }))
    for (const likeness of likenesses) {
      if (slots.length <= budget) break
      slots = [...Map.groupBy(slots, ({ annotation }) => likeness(annotation)).values()].map(share)
    }
    if (slots.length <= budget) return slots.map(({ annotation }) => annotation)
    const shown = slots.slice(0, budget - 1)
    const hidden = slots.slice(budget - 1).reduce((sum, { count }) => sum + count, 0)
    const last: Annotation = {
      level,
      title: `${hidden} more ${level}s`,
      message: `GitHub shows ${budget} ${level}s of a step. ${rest}`,
      place: () => undefined,
    }
    return [...shown.map(({ annotation }) => annotation), last]
  })
}

/** One slot for several: at the place of the first, with what each says, or where the others are when they say the same. */
function share(slots: Slot[]): Slot {
  const [first, ...others] = slots as [Slot, ...Slot[]]
  if (others.length === 0) return first
  const messages = [...new Set(slots.map(({ annotation }) => annotation.message))]
  const { level, title, place, message } = first.annotation
  const count = slots.reduce((sum, slot) => sum + slot.count, 0)
  if (messages.length > 1) return { annotation: { level, title, place, message: messages.join('\n') }, count }
  const shown = others.slice(0, mostOthers).map(({ annotation }) => whereOf(annotation))
  const more = others.length - shown.length
  const also = `Also ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`
  return { annotation: { level, title: `${title} (${count} times)`, place, message: `${message}\n${also}` }, count }
}

function whereOf({ title, place }: Annotation): string {
  const found = place()
  return found === undefined ? title : `${found.file}:${found.line}`
}
