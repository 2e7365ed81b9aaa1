import { fitText } from '../fitting.ts'
import type { NamedEntry } from '../tasks/audit.ts'
import { instantWords, momentWords } from '../time-words.ts'
import type { Canvas } from './canvas.ts'
import { changeLines, pathWords } from './comparison.ts'
import { factLines } from './license.ts'
import { stackedTable } from './stacking.ts'

/** What every change moves: it says nothing of this one. */
const bookkeeping = ['/revisionNumber', '/updatedAt', '/lastUpdateTimeStamp']

/** Entries, one a row: when, who did what to which record, and which of its fields changed. */
export function auditListLines(entries: readonly NamedEntry[], canvas: Canvas): string[] {
  const rows = entries.map((entry) => {
    const { id, occurredAt, actorName, operation } = entry
    const at = momentWords(occurredAt)
    return {
      cells: [id, at, actorName, operation, recordWords(entry), outcomeWords(entry)],
      head: `${at}  ${operation}`,
      below: [recordWords(entry), outcomeWords(entry), `by ${actorName}`, `entry ${id}`],
    }
  })
  return stackedTable(['ENTRY', 'WHEN', 'WHO', 'DID', 'RECORD', 'CHANGED'], rows, canvas)
}

/** One entry: who did what, and each field before and after. `now` in milliseconds. */
export function auditLines(entry: NamedEntry, now: number, canvas: Canvas): string[] {
  const facts = factLines([
    ['entry', entry.id],
    ['done', entry.operation],
    ['to', recordWords(entry)],
    ['by', entry.actorName === entry.actor ? entry.actor : `${entry.actorName} (${entry.actor})`],
    ['when', instantWords(Date.parse(entry.occurredAt), now)],
    ['in the request', entry.correlationId],
  ])
  const lines = changeLines(changesOf(entry), canvas).flat()
  const none = isErased(entry) ? '    What it changed was erased with a person.' : '    Nothing changed.'
  return [...facts, '', ...(lines.length > 0 ? lines : [none])]
}

/** Each place that differs; of a record that was made or deleted, each of its fields. */
function changesOf({ before, after }: NamedEntry) {
  const isWhole = before === null || after === null
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map((name) => ({
    path: isWhole ? `/${name}` : name,
    before: before?.[name],
    after: after?.[name],
  }))
}

/** What an erasure of a person leaves: that something was done. */
const isErased = ({ before, after }: NamedEntry) => before === null && after === null

const recordWords = ({ recordKind, recordId }: NamedEntry) =>
  recordId === null ? recordKind : `${recordKind} ${recordId}`

function outcomeWords(entry: NamedEntry): string {
  if (isErased(entry)) return 'erased'
  if (entry.before === null) return 'made'
  if (entry.after === null) return 'deleted'
  const paths = changesOf(entry).map(({ path }) => path)
  return fitText(
    paths
      .filter((path) => !bookkeeping.includes(path))
      .map(pathWords)
      .join(', '),
    50,
  )
}
