import type { Kind } from '../../../catalog-schema/order.ts'
import { counted } from '../../counting.ts'
import type { FilePlace } from '../../sides/local-catalog.ts'
import type { CatalogReport, ReportItem } from '../../tasks/catalog-report.ts'
import { comparedItems, hasChanges } from '../../tasks/catalog-report.ts'
import type { Comparison } from '../../tasks/compare.ts'
import { changeText, isWholeMember } from '../change-value.ts'
import { warningLines } from '../comparison-advice.ts'
import { guardWordsIn } from '../guard-words.ts'
import { selectionLines } from '../selection.ts'
import { touchedEntitlements, touchedWords } from '../touched.ts'
import { codeBlock, codeSpan, folded, hiddenMarker } from './markdown-text.ts'

/** The most characters of a comment: GitHub takes 65,536, and what a workflow adds needs room, too. */
export const mostCharacters = 60_000
const mostFields = 50
const mostWarnings = 20
const mostNeeded = 20
const longestValue = 60
const longestMember = 600

/**
 * A comparison as GitHub Markdown for a comment or a job summary: a hidden marker that names command and target, so that a
 * workflow finds its own comment again, one sentence, one table, and every item folded under its kind. What would not
 * fit is counted: items that touch entitlements are shown first, then what a protected environment
 * guards, other updates, what is new, and what only the environment has.
 */
export function comparisonMarkdown(
  comparison: Comparison,
  target: string,
  { limit = mostCharacters, command = 'diff' as 'diff' | 'plan' } = {},
): string {
  const { report } = comparison
  const head = [hiddenMarker(target, command), summarySentence(comparison)]
  const table = kindTable(report)
  if (table !== '') head.push('', table)
  const facts = comparedWith(comparison)
  if (facts !== '') head.push('', facts)
  const selection = selectionPart(comparison)
  if (selection !== '') head.push('', selection)
  const warnings = warningPart(comparison)
  if (warnings !== '') head.push('', warnings)
  const text = head.join('\n')
  return `${[text, ...kindParts(comparison, limit - text.length - 1)].join('\n\n')}\n`
}

function summarySentence({ report, before, after }: Comparison): string {
  const { create, update, unchanged, onlyHere } = report.summary
  const import_ = `Importing ${codeSpan(after.name)} into ${codeSpan(before.name)}`
  const only =
    onlyHere === 0 ? '' : `, and ${onlyHere} ${onlyHere === 1 ? 'is' : 'are'} only there (an import never removes)`
  const same = `${counted(unchanged, 'item')} ${unchanged === 1 ? 'is' : 'are'} the same${only}`
  if (!hasChanges(report)) return `**${import_} changes nothing**: ${same}.`
  const fields = report.items.reduce((sum, { changes = [] }) => sum + changes.length, 0)
  const deeds = [
    ...(create === 0 ? [] : [`creates ${counted(create, 'item')}`]),
    ...(update === 0
      ? []
      : [`updates ${create === 0 ? counted(update, 'item') : update} (${counted(fields, 'field')})`]),
  ]
  const touched = touchedEntitlements(report)
  if (touched.count > 0) deeds.push(`touches ${touchedWords(touched)}`)
  return `**${import_} ${inWords(deeds)}**; ${same}.`
}

const inWords = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

function kindTable(report: CatalogReport): string {
  const groups = groupByKind(report)
  const rows = [...groups].map(([word, { items, only }]) => {
    const count = (action: string) => items.filter((item) => item.action === action).length
    const touched = items.reduce((sum, { affects }) => sum + (affects?.entitlements ?? 0), 0)
    return [word, ...[count('create'), count('update'), only.length, touched].map((number) => number || '')]
  })
  if (rows.length === 0) return ''
  const isTouching = rows.some((row) => row[4] !== '')
  const headings = ['', 'create', 'update', 'only there', ...(isTouching ? ['live entitlements touched'] : [])]
  const line = (cells: readonly (string | number)[]) => `| ${cells.slice(0, headings.length).join(' | ')} |`
  return [line(headings), line(headings.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/** Which tenant at which revision it was compared with, where there is one. */
function comparedWith({ report, before }: Comparison): string {
  const facts = [
    ...(before.tenant === null ? [] : [`tenant ${codeSpan(before.tenant)}`]),
    ...(report.environmentRevision === null ? [] : [`revision ${codeSpan(report.environmentRevision)}`]),
  ]
  if (facts.length === 0) return ''
  return `${codeSpan(before.name)}: ${facts.join(', ')}, ${counted(comparedItems(report), 'item')} compared.`
}

/** What was selected, and what came along. */
function selectionPart(comparison: Comparison): string {
  const [first, ...needed] = selectionLines(comparison.selection).filter((line) => line !== '')
  if (first === undefined) return ''
  const shown = [first, ...needed].slice(0, mostNeeded).map((line) => line.slice(0, 400))
  const more = needed.length >= mostNeeded ? `\n\n… and ${counted(needed.length + 1 - mostNeeded, 'more item')}.` : ''
  return codeBlock(shown) + more
}

function warningPart(comparison: Comparison): string {
  const lines = warningLines(comparison)
  if (lines.length === 0) return ''
  const shown = lines.slice(0, mostWarnings).map((line) => line.slice(0, 400))
  const more = lines.length > mostWarnings ? `\n\n… and ${counted(lines.length - mostWarnings, 'more warning')}.` : ''
  return folded(counted(lines.length, 'warning'), codeBlock(shown) + more)
}

const kindWords: Record<Kind, string> = {
  tag: 'tags',
  product: 'products',
  feature: 'features',
  monitoredAsset: 'metrics',
  suite: 'suites',
  planSet: 'plan sets',
  addOn: 'add-ons',
  entitlementOffer: 'offers',
  ratingCampaign: 'rating campaigns',
}

/** What several items of a kind are called; a kind that is not known is `other`. */
const kindWord = (kind: string) => (Object.hasOwn(kindWords, kind) ? kindWords[kind as Kind] : 'other')

interface Group {
  items: ReportItem[]
  only: CatalogReport['onlyHere']
}

function groupByKind({ items, onlyHere }: CatalogReport): Map<string, Group> {
  const groups = new Map<string, Group>()
  const groupOf = (kind: string) => {
    const word = kindWord(kind)
    const group = groups.get(word) ?? { items: [], only: [] }
    groups.set(word, group)
    return group
  }
  for (const item of items) if (item.action !== 'unchanged') groupOf(item.kind).items.push(item)
  for (const one of onlyHere) groupOf(one.kind).only.push(one)
  return groups
}

/** An item that may be shown, the worst with the lowest rank; its text is made when there is room for it. */
interface Entry {
  word: string
  rank: number
  text: () => string
}

/** The folded parts of the kinds, their items in order of rank as far as they fit into `room` together. */
function kindParts(comparison: Comparison, room: number): string[] {
  const groups = groupByKind(comparison.report)
  const shown = new Map<string, string[]>()
  let left = room - groups.size * wrapping
  for (const { word, text } of entriesOf(comparison, groups)) {
    const written = text()
    left -= written.length + 1
    if (left < 0) break
    shown.set(word, [...(shown.get(word) ?? []), written])
  }
  return [...groups].map(([word, { items, only }]) => {
    const lines = shown.get(word) ?? []
    const missing = items.length + only.length - lines.length
    const more =
      missing === 0 ? [] : [`${lines.length > 0 ? '\n' : ''}… and ${counted(missing, 'more item')} not shown here.`]
    return folded(`${word}: ${countedActions(items, only.length)}`, [...lines, ...more].join('\n'))
  })
}

/** The characters that a kind's folded part needs besides its items, at most. */
const wrapping = 250

function entriesOf({ report, before, placeOf }: Comparison, groups: ReadonlyMap<string, Group>): Entry[] {
  const guardedIn = guardWordsIn(report)
  const entryOf = (word: string, item: ReportItem): Entry => {
    const guarded = guardedIn(item)
    return { word, rank: rankOf(item, guarded), text: () => itemText(item, guarded, placeOf) }
  }
  return [...groups]
    .flatMap(([word, { items, only }]) => [
      ...items.map((item) => entryOf(word, item)),
      ...only.map((one) => ({ word, rank: 4, text: () => onlyText(one, before.name) })),
    ])
    .sort((a, b) => a.rank - b.rank)
}

type Guarded = ReadonlyMap<string, string>

function rankOf(item: ReportItem, guarded: Guarded): number {
  if ((item.affects?.entitlements ?? 0) > 0) return 0
  if (guarded.size > 0) return 1
  return item.action === 'update' ? 2 : 3
}

function countedActions(items: readonly ReportItem[], only: number): string {
  const creates = items.filter(({ action }) => action === 'create').length
  const updates = items.length - creates
  const parts = [
    ...(creates === 0 ? [] : [`${creates} to create`]),
    ...(updates === 0 ? [] : [`${updates} to update`]),
    ...(only === 0 ? [] : [`${only} only there`]),
  ]
  return parts.join(', ')
}

function itemText(item: ReportItem, guarded: Guarded, placeOf: Comparison['placeOf']): string {
  const { key, action, changes = [], affects } = item
  const place = placeOf(key)
  const touched = affects?.entitlements ?? 0
  const facts = [
    `- ${action} ${codeSpan(key)}`,
    ...(place === undefined ? [] : [codeSpan(`${place.file}:${place.line}`)]),
    ...(touched === 0 ? [] : [`touches ${touchedWords({ count: touched, isExact: true })}`]),
  ]
  const fields = changes.slice(0, mostFields).map((change) => {
    const at = placeOf(key, change.path)
    const guard = guarded.get(change.path)
    const line = at === undefined || (at.file === place?.file && at.line === place.line) ? '' : lineWords(at, place)
    return `  - ${codeSpan(change.path.replace(/^\//, ''))}: ${codeSpan(changeText(change, isWholeMember(change) ? longestMember : longestValue))}${guard === undefined ? '' : `, ${guard}`}${line}`
  })
  const hidden = changes.length - fields.length
  return [facts.join(' · '), ...fields, ...(hidden > 0 ? [`  - … and ${counted(hidden, 'more field')}`] : [])].join(
    '\n',
  )
}

const lineWords = (at: FilePlace, item: FilePlace | undefined) =>
  ` (${at.file === item?.file ? `line ${at.line}` : codeSpan(`${at.file}:${at.line}`)})`

const onlyText = ({ key, path }: CatalogReport['onlyHere'][number], name: string) =>
  `- only in ${codeSpan(name)}: ${codeSpan(key)}${path === undefined ? '' : ` ${codeSpan(path.replace(/^\//, ''))}`}`
