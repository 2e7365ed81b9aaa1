import type { ReviewItem } from './review-items.ts'
import type { ReviewKey } from './review-keys.ts'
import { kindsAmong, type ReviewFilter, type ReviewRow, reviewRows } from './review-rows.ts'

/** What is reviewed, and on how much of a screen. */
export interface ReviewView {
  items: readonly ReviewItem[]
  /** The name that approves in a protected environment; null where a key does. */
  nameToType: string | null
  /** The flags without which it cannot be approved. */
  missing: readonly string[]
  /** Columns for the lines of a field, and rows of the list. */
  width: number
  height: number
}

/** Where a reviewer is. */
export interface ReviewState {
  mode: 'list' | 'find' | 'name' | 'help'
  filter: ReviewFilter
  opened: ReadonlySet<number>
  /** The row where the cursor is; null when the filter leaves none. */
  at: ReviewRow | null
  /** The first row that is shown. */
  top: number
  /** What is typed of the environment's name. */
  typed: string
  notice: string
  ending: 'approved' | 'left' | null
}

export const firstState: ReviewState = {
  mode: 'list',
  filter: { kind: null, text: '' },
  opened: new Set(),
  at: { item: 0, line: 0 },
  top: 0,
  typed: '',
  notice: '',
  ending: null,
}

const mostTyped = 100

/** The state after a key. Of what is typed ahead or pasted in one go each character counts, but none of it approves. */
export function afterKey(state: ReviewState, key: ReviewKey, view: ReviewView): ReviewState {
  const strokes = key.name === 'text' ? strokesOf(key.text) : [key]
  let reached = state
  for (const stroke of strokes) {
    if (reached.ending !== null) break
    const isBlind = strokes.length > 1 && reached.mode === 'list' && isApproval(stroke)
    if (!isBlind) reached = afterStroke(reached, stroke, view)
  }
  return reached
}

function afterStroke(state: ReviewState, stroke: ReviewKey, view: ReviewView): ReviewState {
  if (stroke.name === 'interrupt') return { ...state, ending: 'left' }
  return settled(inMode[state.mode]({ ...state, notice: '' }, stroke, view), view)
}

const isApproval = (key: ReviewKey) => key.name === 'text' && key.text === 'a'

const controls: Record<string, ReviewKey['name'] & ('enter' | 'tab' | 'backspace' | 'interrupt')> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u0003': 'interrupt',
}

const strokesOf = (text: string): ReviewKey[] =>
  [...text].map((letter) => (controls[letter] ? { name: controls[letter] } : { name: 'text', text: letter }))

/** The state with the cursor on a row that there is, and that row on the screen; after a key or a resize. */
export function settled(state: ReviewState, view: ReviewView): ReviewState {
  const rows = rowsOf(state, view)
  if (rows.length === 0) return { ...state, at: null, top: 0 }
  const index = Math.max(0, rowIndex(rows, state.at))
  const lowest = Math.max(0, rows.length - view.height)
  const top = Math.min(lowest, Math.max(index - view.height + 1, Math.min(state.top, index)))
  return { ...state, at: rows[index]!, top }
}

export const rowsOf = ({ filter, opened }: ReviewState, { items, width }: ReviewView) =>
  reviewRows(items, filter, opened, width)

/** Where a row is among others: itself, else the nearest line of its item, else the item after it. */
export function rowIndex(rows: readonly ReviewRow[], at: ReviewRow | null): number {
  if (at === null) return 0
  const after = rows.findIndex(({ item, line }) => item > at.item || (item === at.item && line >= at.line))
  if (after === -1) return rows.length - 1
  const isSameItem = rows[after]!.item === at.item
  return !isSameItem && rows[after - 1]?.item === at.item ? after - 1 : after
}

type Step = (state: ReviewState, key: ReviewKey, view: ReviewView) => ReviewState

const inMode: Record<ReviewState['mode'], Step> = {
  list(state, key, view) {
    if (isApproval(key)) return approving(state, view)
    const command = key.name === 'text' ? letters[key.text] : key.name
    return command === undefined ? state : inList(state, command, view)
  },
  find(state, key, view) {
    const { filter } = state
    if (key.name === 'enter') return { ...state, mode: 'list' }
    if (key.name === 'escape') return { ...state, mode: 'list', filter: { ...filter, text: '' } }
    const text = typedAfter(filter.text, key)
    return text === filter.text ? inList(state, key.name, view) : { ...state, filter: { ...filter, text } }
  },
  name(state, key, view) {
    if (key.name === 'escape') return { ...state, mode: 'list', typed: '', notice: 'Not approved.' }
    if (key.name !== 'enter') return { ...state, typed: typedAfter(state.typed, key) }
    if (state.typed.trim() === view.nameToType) return { ...state, ending: 'approved' }
    return { ...state, typed: '', notice: 'That is not its name; nothing was approved.' }
  },
  help: (state) => ({ ...state, mode: 'list' }),
}

type Command = ReviewKey['name'] | 'find' | 'help' | 'leave'

const letters: Record<string, Command> = {
  j: 'down',
  k: 'up',
  h: 'left',
  l: 'right',
  g: 'home',
  G: 'end',
  ' ': 'enter',
  '/': 'find',
  '?': 'help',
  q: 'leave',
}

function inList(state: ReviewState, command: Command, view: ReviewView): ReviewState {
  const by = (count: number) => moved(state, count, view)
  const page = Math.max(1, view.height - 1)
  if (command === 'up') return by(-1)
  if (command === 'down') return by(1)
  if (command === 'pageUp') return by(-page)
  if (command === 'pageDown') return by(page)
  if (command === 'home') return by(Number.NEGATIVE_INFINITY)
  if (command === 'end') return by(Number.POSITIVE_INFINITY)
  if (command === 'tab' || command === 'backTab') return nextKind(state, command === 'tab' ? 1 : -1, view)
  if (state.mode !== 'list') return state
  if (command === 'right') return openedOrClosed(state, true)
  if (command === 'left') return openedOrClosed(state, false)
  if (command === 'enter') return openedOrClosed(state, state.at !== null && !state.opened.has(state.at.item))
  if (command === 'find') return { ...state, mode: 'find' }
  if (command === 'help') return { ...state, mode: 'help' }
  if (command === 'leave') return { ...state, ending: 'left' }
  if (command !== 'escape') return state
  const isFiltered = state.filter.kind !== null || state.filter.text !== ''
  return isFiltered ? { ...state, filter: { kind: null, text: '' } } : { ...state, ending: 'left' }
}

function moved(state: ReviewState, by: number, view: ReviewView): ReviewState {
  const rows = rowsOf(state, view)
  const index = Math.min(rows.length - 1, Math.max(0, rowIndex(rows, state.at) + by))
  return { ...state, at: rows[index] ?? null }
}

function openedOrClosed(state: ReviewState, isOpen: boolean): ReviewState {
  if (state.at === null) return state
  const opened = new Set(state.opened)
  if (isOpen) opened.add(state.at.item)
  else opened.delete(state.at.item)
  return { ...state, opened, at: isOpen ? state.at : { item: state.at.item, line: 0 } }
}

function nextKind(state: ReviewState, by: number, { items }: ReviewView): ReviewState {
  const choices = [null, ...kindsAmong(items)]
  const next = (choices.indexOf(state.filter.kind) + by + choices.length) % choices.length
  return { ...state, filter: { ...state.filter, kind: choices[next]! } }
}

function approving(state: ReviewState, { missing, nameToType }: ReviewView): ReviewState {
  if (missing.length > 0)
    return { ...state, notice: `It needs ${missing.join(' ')}: leave, and run it again with that.` }
  if (nameToType === null) return { ...state, ending: 'approved' }
  return { ...state, mode: 'name', typed: '' }
}

function typedAfter(text: string, key: ReviewKey): string {
  if (key.name === 'backspace') return [...text].slice(0, -1).join('')
  return key.name === 'text' ? [...(text + key.text)].slice(0, mostTyped).join('') : text
}
