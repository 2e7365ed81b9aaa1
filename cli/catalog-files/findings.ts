import { compareCodePoints } from './directory.ts'
import type { FileSpan, SnapshotReading } from './snapshot-reading.ts'
import { frameOf } from './snapshot-reading.ts'

/** One thing that is wrong, or may be, in a catalog, with the line that says so. */
export interface Finding extends FileSpan {
  severity: 'error' | 'warning'
  /** The problem's number in the contract; null for what only files can get wrong. */
  code: number | null
  codeName: string
  /** The key of the item that it is about. */
  key?: string
  /** An RFC 6901 pointer inside the file. */
  pointer: string
  message: string
  /** What was probably meant. */
  suggestion?: string | undefined
  /** The line with a caret below. */
  frame: string
}

/** A finding before its line is shown. */
export type UnframedFinding = Omit<Finding, 'frame'>

/** The findings in the order of files, lines and columns, each once. */
export function orderFindings(findings: readonly UnframedFinding[], reading: SnapshotReading): Finding[] {
  const once = new Map<string, UnframedFinding>()
  for (const finding of findings) {
    const { file, line, col, message } = finding
    const identity = JSON.stringify([file, line, col, message])
    if (!once.has(identity)) once.set(identity, finding)
  }
  return [...once.values()]
    .sort((a, b) => compareCodePoints(a.file, b.file) || a.line - b.line || a.col - b.col)
    .map((finding) => ({ ...finding, frame: frameOf(reading, finding) }))
}
