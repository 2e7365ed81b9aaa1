import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { directoryLock, whileLocked } from '../locks.ts'
import { Problem } from '../problems.ts'
import { readCatalogSource } from './directory.ts'
import { finishPublishing, publishFiles } from './publishing.ts'
import { readSnapshot } from './snapshot-reading.ts'
import { planWriting, type WritingOptions } from './writing-plan.ts'

/** What writing a snapshot did: the names of files written and left alone, the keys that only the files have, and members that only they had. */
export interface WritingReport {
  written: string[]
  unchanged: string[]
  onlyInFiles: string[]
  membersDropped: { key: string; path: string }[]
}

/**
 * Writes a snapshot (of checked shape) into a catalog directory, in place: files whose items say the same already are
 * not touched, no item is removed, and nothing made by hand is overwritten without `force`. The directory is the old one
 * or the new one. Raises cli.output, with every file that stands in the way.
 */
export async function writeCatalog(
  root: string,
  snapshot: Snapshot,
  options: WritingOptions & { force?: boolean },
): Promise<WritingReport> {
  if ((await stat(root).catch(() => undefined))?.isDirectory() === false)
    throw new Problem('cli.output', `${root} is a file; name a directory.`)
  return whileLocked(directoryLock(root), root, (interrupted) => writeInTurn(root, snapshot, options, interrupted))
}

async function writeInTurn(
  root: string,
  snapshot: Snapshot,
  { force = false, ...options }: WritingOptions & { force?: boolean },
  interrupted: AbortSignal,
): Promise<WritingReport> {
  const isThere = existsSync(root)
  if (isThere) await finishPublishing(root)
  const existing = readSnapshot(isThere ? await readCatalogSource(root) : { files: [], refusals: [] })
  const { writes, unchanged, onlyInFiles, membersDropped, conflicts } = planWriting(existing, snapshot, options)
  const inTheWay = conflicts.filter(({ canForce }) => !(force && canForce))
  if (inTheWay.length > 0) {
    const files = new Set(inTheWay.map(({ file }) => file)).size
    const stand = files === 1 ? 'one of its files stands' : `${files} of its files stand`
    throw new Problem('cli.output', `${root} is not written: ${stand} in the way.`, {
      hint: inTheWay.some(({ canForce }) => !canForce)
        ? 'run "licet catalog validate" and correct what it tells'
        : 'move what you want to keep elsewhere, or overwrite it with --force',
      errors: inTheWay.map(({ file, message }) => ({ key: file, message })),
    })
  }
  await publishFiles(root, writes, interrupted)
  return {
    ...{ onlyInFiles, membersDropped },
    written: writes.map(({ name }) => name).sort(),
    unchanged: unchanged.sort(),
  }
}
