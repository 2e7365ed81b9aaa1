import { counted } from '../counting.ts'
import { wrapText } from '../fitting.ts'
import { displayWidth } from '../table.ts'
import { comparedItems, hasChanges, type ReportItem } from '../tasks/catalog-report.ts'
import type { Comparison } from '../tasks/compare.ts'
import { visible } from '../visible-text.ts'
import { type Canvas, columnFor, sideBySide } from './canvas.ts'
import { changeText, isWholeMember } from './change-value.ts'
import { touchedWords } from './touched.ts'

const longestValue = 100
/** A few files beside a large environment: what they say is not to be lost among what they do not. */
const mostOnlyHere = 50
/** How much is shown of a member that comes or goes. */
const [longestMember, mostLinesOfMember] = [2000, 20]
const signs = { create: '+', update: '~', unchanged: '=' } as const

/** A comparison as lines: its head, the items that change with their fields, what only the before side has, and the sum. */
export function comparisonLines(comparison: Comparison, canvas: Canvas): string[] {
  const lines = changeListLines(comparison, canvas)
  return [...headLines(comparison, canvas), ...(lines.length > 0 ? ['', ...lines] : []), '', summaryLine(comparison)]
}

/** The items of a report with their fields, then what only the before side has. */
export function changeListLines(
  comparison: Pick<Comparison, 'before' | 'placeOf'> & { report: Pick<Comparison['report'], 'items' | 'onlyHere'> },
  canvas: Canvas,
): string[] {
  const { report, before } = comparison
  const note = `only in ${before.name} (an import never removes)`
  const only = worthiest(report.onlyHere).map(({ key, path }) => ({
    label: `· ${visible(key)}${path === undefined ? '' : ` ${pathWords(path)}`}`,
    note,
  }))
  const more = report.onlyHere.length - only.length
  if (more > 0) only.push({ label: `· … and ${more} more`, note: `${note}; --json lists all` })
  const items = report.items.map((item) => ({ item, label: `${signs[item.action]} ${visible(item.key)}` }))
  const edge = columnFor(
    [...items, ...only].map(({ label }) => label),
    canvas.width,
  )
  return [
    ...items.flatMap(({ item, label }) => itemLines(item, label, edge, comparison.placeOf, canvas)),
    ...only.flatMap(({ label, note }) => sideBySide(label, note, edge, canvas).map(canvas.colours.dim)),
  ]
}

/** Of what only the before side has the most that is shown, in its order: what is sold before what that is made of. */
function worthiest(onlyHere: Comparison['report']['onlyHere']) {
  if (onlyHere.length <= mostOnlyHere) return onlyHere
  const rankOf = ({ kind, path }: (typeof onlyHere)[number]) => {
    const depth = path === undefined ? 0 : path.split('/').length - 1
    if (depth > 2) return 2
    return ['planSet', 'addOn', 'entitlementOffer', 'product', 'suite'].includes(kind) ? 0 : 1
  }
  const shown = new Set(onlyHere.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, mostOnlyHere))
  return onlyHere.filter((entry) => shown.has(entry))
}

function headLines({ report, before, after, milliseconds }: Comparison, { width, colours }: Canvas): string[] {
  const facts = [
    before.tenant && `tenant ${before.tenant}`,
    report.environmentRevision && `revision ${report.environmentRevision}`,
  ]
  const known = facts.filter(Boolean).join(', ')
  const place =
    known === ''
      ? `${before.name} → ${after.name}`
      : `${before.name} (${known})${after.isFiles ? '' : ` made like ${after.name}`}`
  const time = milliseconds === null ? '' : ` in ${(milliseconds / 1000).toFixed(2)} s`
  const compared = `${counted(comparedItems(report), 'item')} compared${time}`
  const head = colours.bold(visible(place))
  return displayWidth(place) + 3 + compared.length <= width ? [`${head}   ${compared}`] : [head, `  ${compared}`]
}

function itemLines(
  item: ReportItem,
  label: string,
  edge: number,
  placeOf: Comparison['placeOf'],
  canvas: Canvas,
): string[] {
  const { colours, width } = canvas
  const place = placeOf(item.key)
  const [first = '', ...rest] = sideBySide(label, place ? `${visible(place.file)}:${place.line}` : '', edge, canvas)
  const colour = item.action === 'create' ? colours.green : item.action === 'update' ? colours.yellow : colours.dim
  const head = [colour(first.slice(0, label.length)) + first.slice(label.length), ...rest]
  const lines = changeLines(item.changes ?? [], canvas).flat()
  const count = item.affects?.entitlements ?? 0
  if (count === 0 || item.action === 'unchanged') return [...head, ...lines]
  const note = `touches ${touchedWords({ count, isExact: true })}`
  const all = [...head, ...lines]
  const last = all.pop() ?? ''
  const fits = displayWidth(last) + 4 + note.length <= width
  return [...all, ...(fits ? [`${last}    ${note}`] : [last, `    ${note}`])]
}

type Change = NonNullable<ReportItem['changes']>[number]

/** The lines of each change: its values beside its path, those of all aligned, or below it with the whole line for them. */
export function changeLines(changes: readonly Change[], canvas: Canvas): string[][] {
  const labels = changes.map(({ path }) => `    ${pathWords(path)}`)
  const edge = columnFor(labels, canvas.width)
  return changes.map((change, at) => labelledLines(labels[at]!, change, edge, canvas))
}

function labelledLines(label: string, change: Change, edge: number, canvas: Canvas): string[] {
  const room = (column: number) => Math.max(10, Math.min(longestValue, Math.floor((canvas.width - column - 5) / 2)))
  const beside = changeText(change, room(edge))
  const lines = sideBySide(label, beside, edge, canvas)
  if (isWholeMember(change) && (lines.length > 1 || beside.includes('…'))) {
    const whole = wrapText(changeText(change, longestMember), canvas.width - 6, mostLinesOfMember)
    return [label, ...whole.map((line) => `      ${line}`)]
  }
  return lines.length === 1 ? lines : [label, `      ${changeText(change, room(6))}`]
}

/** A comparison in one sentence. */
export function summaryLine(comparison: Comparison): string {
  const { report, before } = comparison
  const { create, update, unchanged, onlyHere } = report.summary
  const fields = report.items.reduce((sum, { changes = [] }) => sum + changes.length, 0)
  const only = onlyHere > 0 ? `, ${onlyHere} only in ${visible(before.name)}` : ''
  if (!hasChanges(report))
    return `Nothing to do: ${counted(unchanged, 'item')} ${unchanged === 1 ? 'is' : 'are'} the same${only}.`
  return `${create} to create, ${update} to update (${counted(fields, 'field')}), ${unchanged} unchanged${only}.`
}

/** A path as people read it. */
export const pathWords = (path: string) => visible(path.replace(/^\//, ''))
