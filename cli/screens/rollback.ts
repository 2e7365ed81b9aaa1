import type { Staying } from '../tasks/rollback-plan.ts'
import { visible } from '../visible-text.ts'
import { type Canvas, columnFor, sideBySide } from './canvas.ts'
import { pathWords } from './comparison.ts'

/** What a rollback leaves as it is, and why; no line when it undoes all of the import. */
export function stayingLines(staying: readonly Staying[], canvas: Canvas): string[] {
  if (staying.length === 0) return []
  const labels = staying.map(({ key, path }) => `· ${visible(key)}${path === undefined ? '' : ` ${pathWords(path)}`}`)
  const edge = columnFor(labels, canvas.width)
  return [
    '',
    'Stays, since nothing is ever removed and no lifecycle goes back:',
    ...staying.flatMap(({ why }, at) => sideBySide(labels[at]!, visible(why), edge, canvas).map(canvas.colours.dim)),
  ]
}
