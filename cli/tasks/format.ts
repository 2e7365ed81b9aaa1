import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sections } from '../../catalog-schema/order.ts'
import { formatFile } from '../catalog-files/formatting/formatting.ts'
import { findRewordedText } from '../catalog-files/shape-findings.ts'
import { readSourceFile } from '../catalog-files/snapshot-reading.ts'
import type { Reading } from '../catalog-files/yaml-reading.ts'
import { isObject } from '../json-objects.ts'
import { Problem } from '../problems.ts'
import { duringWork, expectedMs, tellProgress } from '../progress.ts'
import { readSource } from '../sides/local-catalog.ts'
import { writeWhole } from '../whole-files.ts'

/** What formatting did, or would do: files are named as people see them. */
export interface FormatReport {
  /** Files that were not in canonical order and style. */
  changed: string[]
  /** How many were. */
  unchanged: number
  /** Files that cannot be formatted, and why; they are left as they are. */
  left: { file: string; message: string }[]
}

/**
 * Brings the files of a directory, or one file, into canonical order and style. Only files that change are written, each
 * whole and in its own mode; with `check` none is. Raises cli.input when there is no catalog file.
 */
export async function formatCatalog(path: string, { check }: { check: boolean }): Promise<FormatReport> {
  const found = await stat(path).catch(() => null)
  if (found && !found.isDirectory() && !found.isFile())
    throw new Problem('cli.input', `${path} is no file that could be written anew.`, { hint: 'what is on stdin is -' })
  const { source, shownName } = await readSource(path)
  const isDirectory = found?.isDirectory() ?? false
  const report: FormatReport = {
    changed: [],
    unchanged: 0,
    left: source.refusals.map(({ file, message }) => ({ file: shownName(file), message })),
  }
  await duringWork(`Formatting ${path}`, async () => {
    for (const [index, file] of source.files.entries()) {
      tellProgress(index, source.files.length, expectedMs.toRead(file.bytes.length))
      const outcome = formatBytes(file)
      if ('refused' in outcome) report.left.push({ file: shownName(file.name), message: outcome.refused })
      else if (outcome.text === outcome.old) report.unchanged++
      else {
        report.changed.push(shownName(file.name))
        if (!check) await writeWhole(isDirectory ? join(path, file.name) : path, outcome.text)
      }
    }
  })
  return report
}

/** What is on stdin, in canonical order and style, and whether it was already. Raises cli.input when it cannot be formatted. */
export async function formatStdin(): Promise<{ text: string; isChanged: boolean }> {
  const { source } = await readSource('-')
  const outcome = formatBytes(source.files[0]!)
  if ('refused' in outcome) throw new Problem('cli.input', `stdin cannot be formatted: ${outcome.refused}`)
  return { text: outcome.text, isChanged: outcome.text !== outcome.old }
}

/** Whether a file's value says anything of a catalog; others may lie beside its files. */
const isOfCatalog = (value: unknown): boolean =>
  isObject(value) && ['formatVersion', 'references', ...sections].some((name) => Object.hasOwn(value, name))

function formatBytes(file: { name: string; bytes: Uint8Array }): { text: string; old: string } | { refused: string } {
  const reading = readSourceFile(file)
  const [refusal] = reading.refusals
  if (refusal !== undefined) return { refused: `${refusal.line}:${refusal.col} ${refusal.message}` }
  // A file that says nothing is part of a catalog, as "catalog validate" has it, and has nothing to bring into order.
  if (Object.keys(reading.value).length === 0) return { text: reading.text, old: reading.text }
  if (!isOfCatalog(reading.value)) return { refused: 'It is no file of a catalog: it has none of its sections.' }
  const reworded = findRewordedText(reading)
  if (reworded !== undefined) return { refused: tellReworded(reading, reworded) }
  const formatted = formatFile(file.name, reading)
  return 'refused' in formatted ? formatted : { text: formatted.text, old: reading.text }
}

/** Written anew, a text that stands as a number would lose how it is spelt, and nobody could tell any more what was meant. */
function tellReworded({ locate, sourceOf }: Reading, pointer: string): string {
  const { line, col } = locate(pointer).value
  const written = sourceOf(pointer)
  return `${line}:${col} ${written} is in a field that keeps text, which would be another: write '${written}'.`
}
