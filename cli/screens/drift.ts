import { counted } from '../counting.ts'
import { type ChosenEnvironment, confirmWords, envWords } from '../environments/choosing.ts'
import { displayWidth } from '../table.ts'
import type { Drift, DriftedItem } from '../tasks/drift.ts'
import type { FilesSay } from '../tasks/drift-files.ts'
import { momentWords } from '../time-words.ts'
import { visible } from '../visible-text.ts'
import { type Canvas, columnFor, sideBySide } from './canvas.ts'
import { changeLines } from './comparison.ts'

type Target = Pick<ChosenEnvironment, 'name' | 'protected'>

const signs = { create: '+', update: '~', delete: '-' } as const

/** What importing the files would do about a change, in words. */
export const filesWords: Record<FilesSay, string> = {
  same: 'the files say so, too',
  restores: 'importing the files puts it back',
  differs: 'the files say something else',
  silent: 'the files leave it as it is',
}

/**
 * What has drifted as lines: since when, each item with who and when, its fields, what the files say, the sum, and what
 * to do next in the environment.
 */
export function driftLines(drift: Drift, environment: Target, canvas: Canvas): string[] {
  const { items } = drift
  const labels = items.map(({ action, key }) => `${signs[action]} ${visible(key)}`)
  const edge = columnFor(labels, canvas.width)
  const lines = items.flatMap((item, at) => itemLines(item, labels[at]!, edge, canvas))
  const head = canvas.colours.bold(visible(placeOf(drift)))
  return [head, ...(lines.length > 0 ? ['', ...lines] : []), '', driftSentence(drift), ...nextLines(drift, environment)]
}

function placeOf({ environment: { name, tenant }, environmentRevision }: Drift): string {
  return `${name} (${tenant === null ? '' : `tenant ${tenant}, `}revision ${environmentRevision})`
}

function itemLines(item: DriftedItem, label: string, edge: number, canvas: Canvas): string[] {
  const { colours } = canvas
  const [first = '', ...rest] = sideBySide(label, authorWords(item), edge, canvas)
  const colour = { create: colours.green, update: colours.yellow, delete: colours.red }[item.action]
  const { changes = [] } = item
  return [
    colour(first.slice(0, label.length)) + first.slice(label.length),
    ...rest,
    ...(item.files === undefined ? [] : [colours.dim(`    ${filesWords[item.files]}`)]),
    ...changeLines(changes, canvas).flatMap((lines, at) => {
      const { files } = changes[at]!
      return files === undefined ? lines : withNote(lines, filesWords[files], canvas)
    }),
  ]
}

function withNote(lines: string[], note: string, { width, colours }: Canvas): string[] {
  const last = lines.at(-1) ?? ''
  const fits = displayWidth(last) + 4 + note.length <= width
  return fits ? [...lines.slice(0, -1), `${last}    ${colours.dim(note)}`] : [...lines, colours.dim(`      ${note}`)]
}

/** Who changed an item last, and when; nothing where nobody knows. */
export const authorWords = ({ changedAt, changedByName }: Pick<DriftedItem, 'changedAt' | 'changedByName'>) =>
  changedAt === null ? '' : visible(`${changedByName}, ${momentWords(changedAt)}`)

/** What has drifted, in one sentence. */
export function driftSentence(drift: Drift): string {
  const { environment, since, summary, items } = drift
  const name = visible(environment.name)
  if (since === null)
    return `Nothing has been imported into ${name} yet, so there is nothing it could have drifted from.`
  const last = `import ${since.importId} (${visible(since.importedByName)}, ${momentWords(since.importedAt)})`
  if (items.length === 0) return `Nothing has changed since ${last}.`
  const fields = items.reduce((sum, { changes = [] }) => sum + changes.length, 0)
  const { created, updated, deleted } = summary
  return `${created} created, ${updated} updated (${counted(fields, 'field')}), ${deleted} deleted since ${last}.`
}

/** The two ways out: into the files, of which an export removes nothing, and the import that says so; or back to what they say. */
function nextLines({ files, items }: Drift, environment: Target): string[] {
  if (files === null || items.length === 0) return []
  const wordsOf = (item: DriftedItem) => item.changes?.map((change) => change.files) ?? [item.files]
  const isOdd = (item: DriftedItem) => wordsOf(item).some((word) => word !== 'same')
  const odd = items.filter(isOdd)
  const [deleted, ...more] = odd.filter(({ action }) => action === 'delete')
  const isExported = odd.some(({ action }) => action !== 'delete')
  const words = new Set(items.flatMap(wordsOf))
  const env = envWords(environment.name)
  const importing = `licet catalog import ${visible(files)}${env}${confirmWords(environment)}`
  const all = deleted && `${visible(deleted.key)}${more.length > 0 ? ` and ${more.length} more` : ''}`
  if (odd.length === 0) return [`Keep it:     ${importing} (changes nothing: drift is measured from there)`]
  return [
    ...(isExported ? [`Keep it:     licet catalog export ${visible(files)}${env}`] : []),
    ...(all === undefined ? [] : [`Keep it deleted: take ${all} out of ${visible(files)}`]),
    `  and then:  ${importing} (changes nothing: drift is measured from there)`,
    ...(words.has('restores') || words.has('differs') ? [`Put it back: ${importing}`] : []),
  ]
}
