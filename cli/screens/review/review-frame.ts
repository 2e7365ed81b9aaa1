import type { Paint } from '../../colour.ts'
import { counted } from '../../counting.ts'
import { fitEnd, fitText, padText, wrapText } from '../../fitting.ts'
import { displayWidth } from '../../table.ts'
import { visible } from '../../visible-text.ts'
import type { ReviewItem } from './review-items.ts'
import { detailLines, type ReviewRow, touchesText } from './review-rows.ts'
import { type ReviewState, type ReviewView, rowIndex, rowsOf } from './review-state.ts'

/** The words around the list. */
export interface ReviewHeading {
  /** From where to where. */
  title: string
  /** How many of what. */
  summary: string
}

const indent = 6
const footLines = 2

/** The part of a screen that the list and a field's lines have. The last column stays free: no terminal wraps there. */
export function roomOf(heading: ReviewHeading, { columns, rows }: { columns: number; rows: number }) {
  const width = Math.max(10, columns - 1)
  return { width: width - indent, height: Math.max(1, rows - headOf(heading, width).length - 1 - footLines) }
}

/** A title on a line, and the summary on two where it must. */
const headOf = ({ title, summary }: ReviewHeading, width: number) => [
  fitText(visible(title), width),
  ...wrapText(visible(summary), width, 2),
]

/** The screen as lines: as many as it has rows, each within its columns. */
export function reviewFrame(
  state: ReviewState,
  view: ReviewView,
  heading: ReviewHeading,
  size: { columns: number; rows: number },
  colours: Paint,
): string[] {
  const width = Math.max(10, size.columns - 1)
  const rows = rowsOf(state, view)
  const [title = '', ...summary] = headOf(heading, width)
  const head = [colours.bold(title), ...summary, colours.dim(filterText(state, view, rows, width))]
  const list =
    state.mode === 'help'
      ? helpLines.map((line) => fitText(line, width))
      : rows.slice(state.top, state.top + view.height).map((row) => rowLine(row, state, view, width, colours))
  if (list.length === 0) list.push(fitText('  nothing fits this filter; esc clears it', width))
  const filled = Array.from({ length: view.height }, (_, index) => list[index] ?? '')
  return [...head, ...filled, ...footOf(state, view, width, colours)].slice(-size.rows)
}

function filterText({ filter, at }: ReviewState, { items }: ReviewView, rows: readonly ReviewRow[], width: number) {
  const left = rows.filter(({ line }) => line === 0).length
  const text = filter.text === '' ? '' : `, with "${visible(filter.text)}"`
  const place = at === null ? '' : ` · line ${rowIndex(rows, at) + 1} of ${rows.length}`
  const said = `${left} of ${items.length} items: ${filter.kind ?? 'all kinds'}${text}`
  return fitText(displayWidth(said + place) <= width ? said + place : said, width)
}

function rowLine(
  { item: index, line }: ReviewRow,
  state: ReviewState,
  view: ReviewView,
  width: number,
  colours: Paint,
) {
  const item = view.items[index]!
  const isHere = state.at?.item === index && state.at.line === line
  const marker = isHere ? '>' : ' '
  const text =
    line === 0
      ? `${marker} ${item.sign} ${itemText(item, width - 4)}`
      : `${marker}${' '.repeat(indent - 1)}${detailLines(item, view.width)[line - 1] ?? ''}`
  const whole = fitText(text, width)
  if (isHere) return colours.reverse(padText(whole, width))
  if (line > 0) return whole
  const colour = item.sign === '+' ? colours.green : item.sign === '~' ? colours.yellow : colours.dim
  return colour(whole)
}

/** The item's key, and beside it how much changes and whom it touches, in as many words as there is room for. */
function itemText(item: ReviewItem, width: number): string {
  const room = width - 2 - Math.min(displayWidth(item.label), Math.ceil(width * 0.6))
  const note = notesOf(item).find((words) => displayWidth(words) <= room) ?? ''
  const left = width - displayWidth(note) - 2
  return `${padText(fitText(item.label, left), left)}  ${note}`
}

/** What is said beside an item, from many words to few. */
function notesOf({ sign, fieldCount, touches, needs }: ReviewItem): string[] {
  const fields = fieldCount === null ? (sign === '+' ? 'new' : 'stays') : counted(fieldCount, 'field')
  const needed = needs.length > 0 ? [`needs ${needs.join(' ')}`] : []
  if (touches === 0) return [[...needed, fields].join(', '), needed.length > 0 ? 'needs a flag' : fields]
  return [
    [...needed, touchesText(touches), fields].join(', '),
    [...needed, touchesText(touches)].join(', '),
    `${needs.length > 0 ? 'needs a flag, ' : ''}touches ${touches}`,
    `touches ${touches}`,
  ]
}

function footOf(state: ReviewState, view: ReviewView, width: number, colours: Paint): [string, string] {
  const { mode, typed, filter, notice } = state
  if (mode === 'name') {
    const prompt = `Type ${visible(view.nameToType ?? '')} to approve: `
    const line = `${prompt}${fitEnd(visible(typed), Math.max(8, width - displayWidth(prompt) - 1))}_`
    return [fitText(notice || 'It is protected.', width), colours.bold(fitEnd(line, width))]
  }
  if (mode === 'find')
    return [fitText('enter keeps it, esc clears it', width), fitEnd(`/${visible(filter.text)}_`, width)]
  const needs = view.missing.length > 0 ? `needs ${view.missing.join(' ')}` : ''
  const said = colours.yellow(fitText(notice || needs, width))
  if (mode === 'help') return [said, fitText('any key goes back', width)]
  const count = view.items.filter(({ sign }) => sign !== '·').length
  const line = keyLines(count).find((keys) => displayWidth(keys) <= width) ?? 'a approve  q leave'
  return [said, fitText(line, width)]
}

const keyLines = (count: number) => [
  `up/down move  enter fields  tab kind  / find  a approve all ${count}  q leave  ? help`,
  `enter fields  tab kind  / find  a approve all ${count}  q leave  ? help`,
  `enter fields  a approve all ${count}  q leave  ? help`,
  'a approve all  q leave  ? help',
]

const helpLines = [
  'up down j k       a line up or down',
  'page up, page dn  a page up or down',
  'home end g G      first line, last line',
  'enter space       open or close an item',
  'right left        open, close',
  'tab, shift-tab    next kind, kind before',
  '/                 find a text in keys, paths',
  'esc               clear the filter, or leave',
  'a                 approve all changes,',
  '                  filtered away or not',
  'q, Ctrl-C         leave; nothing is changed',
  '+ is created  ~ is changed  · stays',
]
