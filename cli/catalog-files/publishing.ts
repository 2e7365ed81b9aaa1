import type { Stats } from 'node:fs'
import { chmod, lstat, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { Problem } from '../problems.ts'
import { expectedMs, tellProgress } from '../progress.ts'
import { makeDirectory, refuseWriting, writeWhole } from '../whole-files.ts'

/** Where files are gathered before any of them is put in place. */
const gathering = '.licet-export.tmp'
/** The gathered files once they are complete: what is left of it after a crash still has to be put in place. */
const complete = '.licet-export'

/** How many files are written and synced at a time. */
const writers = 16

/** Whether an earlier export into the directory was cut off after it was complete, and is still to be finished. */
export async function isUnfinished(root: string): Promise<boolean> {
  return (await lstat(join(root, complete)).catch(() => undefined))?.isDirectory() ?? false
}

/**
 * Puts files (named by their path below the root) in place so that the directory is the old one or the new one: they
 * are gathered and synced in a folder of their own, which then is complete at one stroke; an export cut off after that
 * is finished by the next, and one that fails before it leaves nothing. Nothing outside the root is written. Whoever
 * calls it holds the directory's lock. Interrupted before it is complete it fails, too. Raises cli.output.
 */
export async function publishFiles(
  root: string,
  files: readonly { name: string; text: string }[],
  interrupted?: AbortSignal,
): Promise<void> {
  await makeDirectory(root).catch((cause) => refuseWriting(root, cause))
  await finishPublishing(root)
  if (files.length === 0) return
  for (const { name } of files) await findTarget(root, name)
  await rm(join(root, gathering), { recursive: true, force: true })
  let written = 0
  const rest = files.values()
  const gather = async () => {
    for (const { name, text } of rest) {
      interrupted?.throwIfAborted()
      tellProgress(written, files.length, written === 0 ? expectedMs.toWrite(files.length) : 0)
      written++
      await writeWhole(join(root, gathering, name), text, { shown: join(root, name) })
    }
  }
  try {
    // Each comes to its end, so that none writes on while what was gathered is removed.
    const ends = await Promise.allSettled(Array.from({ length: writers }, gather))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    interrupted?.throwIfAborted()
    await rename(join(root, gathering), join(root, complete))
  } catch (error) {
    await rm(join(root, gathering), { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
  await finishPublishing(root)
}

/**
 * The names of those files below the root that are there already and say something else: what an earlier run that was cut
 * off left complete is put in place first, so that its files are not taken for somebody else's.
 */
export async function findStanding(root: string, files: readonly { name: string; text: string }[]): Promise<string[]> {
  await finishPublishing(root)
  const standing: string[] = []
  for (const { name, text } of files) {
    const path = join(root, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && !(found.isFile() && (await readFile(path, 'utf8').catch(() => undefined)) === text))
      standing.push(name)
  }
  return standing
}

/** Puts in place what an export that was cut off left complete; does nothing when there is none. */
export async function finishPublishing(root: string): Promise<void> {
  if (!(await isUnfinished(root))) return
  const entries = await readdir(join(root, complete), { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const from = join(entry.parentPath, entry.name)
    const name = from.slice(join(root, complete).length + 1)
    await makeDirectory(dirname(join(root, name)))
    const target = await findTarget(root, name)
    if (target.old !== undefined) await chmod(from, target.old.mode & 0o777)
    await rename(from, target.path)
  }
  await rm(join(root, complete), { recursive: true, force: true })
}

/**
 * Where a file is put, a link followed, and what is there now. Raises cli.output when that lies outside the root, by way
 * of a link, or is taken by what is no file.
 */
async function findTarget(root: string, name: string): Promise<{ path: string; old: Stats | undefined }> {
  const home = await realpath(root)
  const isInside = (real: string) => real.startsWith(home.endsWith(sep) ? home : home + sep)
  const folders = name.split(/[/\\]/).slice(0, -1)
  if (name.split(/[/\\]/).includes('..')) throw new Problem('cli.output', `${name} lies outside ${root}.`)
  for (let depth = 1; depth <= folders.length; depth++) {
    const folder = join(root, ...folders.slice(0, depth))
    const real = await realpath(folder).catch(() => undefined)
    if (real !== undefined && !isInside(real)) {
      throw new Problem('cli.output', `${folder} is a link out of the catalog directory; nothing was written.`)
    }
  }
  const place = join(root, name)
  const isLink = (await lstat(place).catch(() => undefined))?.isSymbolicLink() ?? false
  const path = isLink ? await realpath(place).catch(() => place) : place
  const old = await lstat(path).catch(() => undefined)
  if (old !== undefined && !(old.isFile() && (!isLink || isInside(path)))) {
    throw new Problem('cli.output', `${place} is not a regular file of the catalog directory; nothing was written.`)
  }
  return { path, old }
}
