import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { kindOfKey, matchKey } from '../../catalog-schema/keys.ts'
import { pointerOf } from '../../catalog-schema/paths.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { type CatalogSource, readCatalogSource } from '../catalog-files/directory.ts'
import { findDuplicates } from '../catalog-files/duplicate-findings.ts'
import { locateItems } from '../catalog-files/located-items.ts'
import { checkShape, findReworded } from '../catalog-files/shape-findings.ts'
import { frameOf, placeOf, readSnapshot, type SnapshotReading } from '../catalog-files/snapshot-reading.ts'
import { countFindings } from '../findings.ts'
import { inputName, nothingOnStdin, readInput } from '../input-files.ts'
import { Problem } from '../problems.ts'
import { duringWork } from '../progress.ts'
import { shellWord } from '../shell-word.ts'
import { validateCatalog } from '../tasks/validate.ts'
import { isGitSide, readGitSide, shownGitName } from './git-side.ts'

/** A place in a file, as editors open it, with the line that is there. */
export interface FilePlace {
  file: string
  line: number
  col: number
  /** Where it ends, the column exclusive. */
  endLine?: number
  endCol?: number
  frame: string
}

/** A catalog read from files: one snapshot of checked shape, its scalars in canonical form, and the way back to each item. */
export interface LocalCatalog {
  /** As it was named. */
  name: string
  snapshot: Snapshot
  /** The files: what each is called below the catalog, and in messages. */
  files: readonly { name: string; shownName: string; bytes: Uint8Array }[]
  /** Where an item stands, or what a path inside it leads to; undefined for a key that the files do not have. */
  placeOf(key: string, path?: string): FilePlace | undefined
}

/**
 * Reads a directory in any layout, one file, those of a git revision, or stdin (`-`). Raises cli.catalog with everything that is wrong with
 * the files when syntax, a field or a repeated key is; what the rules say of sound items depends on where they go.
 */
export async function readLocalCatalog(path: string): Promise<LocalCatalog> {
  const name = inputName(path)
  return duringWork(`Reading ${name}`, () => readCatalog(path, name))
}

async function readCatalog(path: string, name: string): Promise<LocalCatalog> {
  const { source, shownName } = await readSource(path)
  const reading = readSnapshot(source)
  const items = locateItems(reading)
  const isSound =
    reading.refusals.length === 0 &&
    items.every((item) => checkShape(reading, item).length === 0) &&
    findDuplicates(reading, items).findings.length === 0 &&
    findReworded(reading, items).length === 0
  if (!isSound) {
    const { findings } = validateCatalog(source, shownName)
    throw new Problem('cli.catalog', `${countFindings(findings)} in ${name}; nothing was sent.`, {
      hint: `licet catalog validate ${shellWord(path)}`,
      errors: findings,
    })
  }
  const files = source.files.map((file) => ({ ...file, shownName: shownName(file.name) }))
  return { name, snapshot: reading.snapshot, files, placeOf: placeFinder(reading, shownName) }
}

function placeFinder(reading: SnapshotReading, shownName: (name: string) => string): LocalCatalog['placeOf'] {
  const byKey = new Map(locateItems(reading).map((located) => [matchKey(located.kind, located.key), located]))
  return (key, path = '') => {
    const kind = kindOfKey(key)
    const located = kind && byKey.get(matchKey(kind, key))
    if (!located) return undefined
    const place = placeOf(reading, located.origin, pointerOf(located.kind, located.item, path), 'value')
    const { line, col, endLine, endCol } = place
    return { file: shownName(place.file), line, col, endLine, endCol, frame: frameOf(reading, place) }
  }
}

/**
 * The files at a path, of a git revision (`git:REV:path`), stdin (`-`) or a pipe, and how each is named in messages. Raises
 * cli.input when there is no catalog file, or nothing on stdin.
 */
export async function readSource(
  path: string,
): Promise<{ source: CatalogSource; shownName: (name: string) => string }> {
  if (path === '-' || (await isOpenPipe(path))) {
    const bytes = await readInput(path)
    if (bytes.length === 0) throw nothingOnStdin('an empty catalog is written {}', inputName(path))
    return {
      source: { files: [{ name: isJsonText(bytes) ? 'stdin.json' : 'stdin', bytes }], refusals: [] },
      shownName: () => inputName(path),
    }
  }
  const { isDirectory, shownName, ...source } = isGitSide(path) ? await fromGit(path) : await fromPath(path)
  if (source.files.length === 0 && source.refusals.length === 0) {
    throw new Problem('cli.input', `There is no catalog file in "${path}".`, {
      hint: 'name the directory with the .yaml or .json files, or set "catalog" in licet.yaml',
    })
  }
  return { source, shownName: (name) => (isDirectory ? shownName(name) : path) }
}

/** Whether a path is a pipe that the shell opened for us (`<(command)`, /dev/stdin): somebody writes there, so reading it ends. */
async function isOpenPipe(path: string): Promise<boolean> {
  if (!/^\/dev\/(?:stdin|fd\/\d+)$/.test(path)) return false
  return (await stat(path).catch(() => null))?.isFIFO() ?? false
}

/** Whether text is JSON; what only looks like it is YAML in flow style. */
function isJsonText(bytes: Uint8Array): boolean {
  if (!/^\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 1000)))) return false
  try {
    JSON.parse(new TextDecoder().decode(bytes))
    return true
  } catch {
    return false
  }
}

async function fromPath(path: string) {
  const source = await readCatalogSource(path)
  const isDirectory = (await stat(path)).isDirectory()
  return { ...source, isDirectory, shownName: (name: string) => join(path, name) }
}

async function fromGit(path: string) {
  const side = readGitSide(path)
  const { readGitCatalog } = await import('./git-catalog.ts')
  return { ...(await readGitCatalog(side)), shownName: (name: string) => shownGitName(path, name) }
}
