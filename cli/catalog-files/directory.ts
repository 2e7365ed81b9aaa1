import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { systemRefusal } from '../ending.ts'
import { Problem } from '../problems.ts'
import { tellProgress } from '../progress.ts'
import { visible } from '../visible-text.ts'
import {
  hasControlCharacter,
  isCatalogName,
  isSkipped,
  maxCatalogBytes,
  maxFiles,
  maxFolderDepth,
  pathRefusals,
  refusePath,
} from './catalog-paths.ts'
import { maxFileBytes, tooLarge } from './decoding.ts'
import { isUnfinished } from './publishing.ts'
import type { FileRefusal, RefusalRule } from './refusals.ts'

/** A catalog file's bytes under the name that messages show: its path below the root, with `/`. */
export interface SourceFile {
  name: string
  bytes: Uint8Array
}

/** The files of a catalog in code point order of their names, and the paths that may not be part of it. */
export interface CatalogSource {
  files: SourceFile[]
  refusals: FileRefusal[]
}

interface Found {
  name: string
  path: string
}

/**
 * Reads a catalog directory in any layout: every .yaml, .yml and .json file below it, but for names that start with a
 * dot, node_modules, and `licet.yaml` at the root; or the one file that the path names. Links are followed only to
 * what lies inside the root; devices, pipes and names with control characters are refused, and nothing outside the
 * root is opened. Raises cli.input when there is nothing at the path.
 */
export async function readCatalogSource(path: string): Promise<CatalogSource> {
  const root = await realpath(path).catch((cause: NodeJS.ErrnoException) => {
    throw new Problem('cli.input', `Cannot read ${path}: ${systemRefusal(String(cause.code))}.`, { cause })
  })
  const source: CatalogSource = { files: [], refusals: [] }
  const isDirectory = (await stat(root)).isDirectory()
  if (isDirectory && (await isUnfinished(root))) {
    refusePath(source.refusals, '.', 'An export into this directory was cut off; run it again, which finishes it.')
  }
  const found = isDirectory ? await findFiles(root, source.refusals) : [{ name: basename(path), path: root }]
  let total = 0
  for (const { name, path: real } of found) {
    tellProgress(source.files.length, found.length)
    const bytes = readRegularFile(real, maxCatalogBytes - total)
    if (bytes instanceof Uint8Array) {
      total += bytes.length
      source.files.push({ name, bytes })
    } else refusePath(source.refusals, name, bytes.message, bytes.rule)
  }
  return source
}

async function findFiles(root: string, refusals: FileRefusal[]): Promise<Found[]> {
  const found: Found[] = []
  const links: Found[] = []
  const seen = new Set<string>()

  const walk = async (folder: Found, depth: number): Promise<void> => {
    if (depth > maxFolderDepth) return refusePath(refusals, folder.name, pathRefusals.deep)
    if (seen.has(folder.path)) return
    seen.add(folder.path)
    for (const entry of await readdir(folder.path, { withFileTypes: true })) {
      const name = folder.name === '' ? entry.name : `${folder.name}/${entry.name}`
      const path = join(folder.path, entry.name)
      const isFolder = entry.isDirectory()
      if (isSkipped(entry.name) || !(isFolder || mayHoldCatalog(name, entry.isSymbolicLink()))) continue
      if (hasControlCharacter(entry.name)) refusePath(refusals, visible(name), pathRefusals.controlCharacter)
      else if (isFolder) await walk({ name, path }, depth + 1)
      else if (entry.isSymbolicLink()) links.push({ name, path })
      else if (entry.isFile()) {
        seen.add(path)
        found.push({ name, path })
      } else refusePath(refusals, name, pathRefusals.notAFile)
      if (found.length > maxFiles) return
    }
  }

  await walk({ name: '', path: root }, 0)
  for (let next = links.shift(); next !== undefined; next = links.shift()) {
    const target = await followLink(next, root, refusals)
    if (target === undefined || seen.has(target.path)) continue
    if (target.isDirectory) await walk(target, next.name.split('/').length)
    else {
      seen.add(target.path)
      found.push({ name: next.name, path: target.path })
    }
  }
  if (found.length > maxFiles) {
    refusePath(refusals, '.', pathRefusals.tooMany, 'too-many')
    return []
  }
  return found.sort((a, b) => compareCodePoints(a.name, b.name))
}

/** A link's target, when it lies inside the root; a link that may hold a catalog and leaves the root is refused. */
async function followLink(
  link: Found,
  root: string,
  refusals: FileRefusal[],
): Promise<(Found & { isDirectory: boolean }) | undefined> {
  const path = await realpath(link.path).catch(() => undefined)
  const target = path === undefined ? undefined : await stat(path).catch(() => undefined)
  if (path === undefined || target === undefined) {
    if (isCatalogName(link.name)) refusePath(refusals, link.name, pathRefusals.leadsNowhere)
    return undefined
  }
  const isDirectory = target.isDirectory()
  if (!isDirectory && !isCatalogName(link.name)) return undefined
  const inside = relative(root, path)
  if (inside === '..' || inside.startsWith(`..${sep}`) || join(root, inside) !== path) {
    refusePath(refusals, link.name, pathRefusals.leadsOut)
    return undefined
  }
  if (isDirectory && inside.split(sep).some(isSkipped)) return undefined
  return { name: link.name, path, isDirectory }
}

/**
 * The bytes of a regular file; opened without following a link put there meanwhile, or waiting for a pipe. Read without
 * letting go: on a disk of one's own, each turn through the thread pool takes longer than the reading.
 */
function readRegularFile(path: string, room: number): Uint8Array | { message: string; rule: RefusalRule } {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = fstatSync(file)
    if (!stats.isFile()) return { message: pathRefusals.notAFile, rule: 'path' }
    if (stats.size > maxFileBytes) return { message: tooLarge(stats.size), rule: 'too-large' }
    if (stats.size > room) return { message: pathRefusals.tooMuch, rule: 'too-large' }
    const bytes = readFileSync(file)
    return bytes.length > room ? { message: pathRefusals.tooMuch, rule: 'too-large' } : bytes
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === undefined) throw error
    return { message: `It cannot be read: ${systemRefusal(code)}.`, rule: 'path' }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function mayHoldCatalog(name: string, isLink: boolean): boolean {
  if (name === 'licet.yaml') return false
  return isLink || isCatalogName(name)
}

/** Orders texts by Unicode code points, the same on every machine and in every language. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [[...a], [...b]]
  const at = left.findIndex((character, index) => character !== right[index])
  if (at < 0) return -1
  if (at >= right.length) return 1
  return left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!
}
