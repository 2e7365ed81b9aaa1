import { posix } from 'node:path'
import {
  hasControlCharacter,
  isCatalogName,
  isSkipped,
  maxCatalogBytes,
  maxFiles,
  maxFolderDepth,
  pathRefusals,
  refusePath,
} from '../catalog-files/catalog-paths.ts'
import { maxFileBytes, tooLarge } from '../catalog-files/decoding.ts'
import { type CatalogSource, compareCodePoints } from '../catalog-files/directory.ts'
import type { FileRefusal } from '../catalog-files/refusals.ts'
import { Problem } from '../problems.ts'
import { visible } from '../visible-text.ts'
import { findObjects, findRepository, followLinks, listTree, readBlobs, type TreeEntry } from './git-objects.ts'
import { type GitSide, isRelative, pathInRepository } from './git-side.ts'

const link = '120000'
const submodule = '160000'
const folder = '040000'

/**
 * Reads the catalog files of a revision as the directory reader does those of a directory, without a checkout: what it
 * skips is skipped, what it refuses is refused, within the same limits; a submodule is refused, its files being
 * elsewhere. `isDirectory` is false when the path names one file. Raises cli.input.
 */
export async function readGitCatalog(side: GitSide): Promise<CatalogSource & { isDirectory: boolean }> {
  const { root, path } = await resolveSide(side)
  if (path === '') return { ...(await readTree(root, { root, path })), isDirectory: true }
  const entry = await findEntry(root, path)
  if (entry === undefined) throw await unknownPath(side, root)
  if (entry.mode === folder) return { ...(await readTree(entry.id, { root, path })), isDirectory: true }
  const source: CatalogSource = { files: [], refusals: [] }
  if (entry.mode === link) throw refused(side, 'is a link', 'name what it leads to')
  if (entry.mode === submodule) throw refused(side, 'is a submodule', 'run it in the submodule')
  await readInto(source, [{ ...entry, path: posix.basename(path) }])
  return { ...source, isDirectory: false }
}

async function resolveSide(side: GitSide): Promise<{ root: string; path: string }> {
  const { workingFolder, isShallow } = await findRepository()
  const [found, remote] = await findObjects([`${side.revision}^{tree}`, `origin/${side.revision}^{tree}`])
  if (found === undefined) throw unknownRevision(side, remote !== undefined, isShallow)
  const path = pathInRepository(side.path, workingFolder)
  if (path === undefined) throw new Problem('cli.input', `${side.path} is outside of the git repository.`)
  return { root: found.id, path }
}

/** The entry of a tree at a path, no link on the way to it being followed. */
async function findEntry(root: string, path: string): Promise<TreeEntry | undefined> {
  const above = posix.dirname(path)
  const [parent] = above === '.' ? [{ id: root, type: 'tree' }] : await findObjects([`${root}:${above}`])
  if (parent?.type !== 'tree') return undefined
  const name = posix.basename(path)
  return (await listTree(parent.id, { deep: false })).find((entry) => entry.path === name)
}

async function readTree(tree: string, { root, path }: { root: string; path: string }): Promise<CatalogSource> {
  const source: CatalogSource = { files: [], refusals: [] }
  const found: TreeEntry[] = []
  const links: TreeEntry[] = []
  const tooDeep = new Set<string>()
  for (const entry of await listTree(tree, { deep: true })) {
    const folders = entry.path.split('/')
    const isLink = entry.mode === link
    if (folders.some(isSkipped) || entry.path === 'licet.yaml') continue
    if (entry.mode === submodule)
      refusePath(source.refusals, visible(entry.path), 'It is a submodule; its files are not here.')
    else if (!isLink && !isCatalogName(entry.path)) continue
    else if (hasControlCharacter(entry.path))
      refusePath(source.refusals, visible(entry.path), pathRefusals.controlCharacter)
    else if (folders.length > maxFolderDepth + 1) tooDeep.add(folders.slice(0, maxFolderDepth + 1).join('/'))
    else (isLink ? links : found).push(entry)
  }
  for (const deep of tooDeep) refusePath(source.refusals, deep, pathRefusals.deep)
  if (links.length > 0) found.push(...(await readLinks(links, found, tree, { root, path }, source.refusals)))
  if (found.length > maxFiles) {
    refusePath(source.refusals, '.', pathRefusals.tooMany, 'too-many')
    return source
  }
  await readInto(
    source,
    found.sort((a, b) => compareCodePoints(a.path, b.path)),
  )
  return source
}

/** The links that lead to a file of the catalog which has not been read under its own name; those that leave it are refused. */
async function readLinks(
  links: readonly TreeEntry[],
  found: readonly TreeEntry[],
  tree: string,
  { root, path }: { root: string; path: string },
  refusals: FileRefusal[],
): Promise<TreeEntry[]> {
  const read = new Set(found.map(({ id }) => id))
  const inside = await followLinks(
    tree,
    links.map((each) => each.path),
  )
  const anywhere = await followLinks(
    root,
    links.map((each) => posix.join(path, each.path)),
  )
  const followed: TreeEntry[] = []
  for (const [index, entry] of links.entries()) {
    const [target, real] = [inside[index]!, anywhere[index]!]
    const isFolder = typeof real === 'object' && real.type === 'tree'
    if (target === 'nowhere' && isCatalogName(entry.path)) refusePath(refusals, entry.path, pathRefusals.leadsNowhere)
    if (target === 'outside' && (isFolder || isCatalogName(entry.path)))
      refusePath(refusals, entry.path, pathRefusals.leadsOut)
    if (typeof target !== 'object' || target.type !== 'blob' || !isCatalogName(entry.path) || read.has(target.id))
      continue
    read.add(target.id)
    followed.push({ ...entry, id: target.id, size: target.size })
  }
  return followed
}

/** Reads the blobs of entries into a source, those that are too large being refused instead. */
async function readInto(source: CatalogSource, entries: readonly TreeEntry[]): Promise<void> {
  let room = maxCatalogBytes
  const wanted: TreeEntry[] = []
  for (const entry of entries) {
    const size = entry.size ?? 0
    const isTooLarge = size > maxFileBytes
    if (isTooLarge || size > room) {
      refusePath(source.refusals, entry.path, isTooLarge ? tooLarge(size) : pathRefusals.tooMuch, 'too-large')
      continue
    }
    room -= size
    wanted.push(entry)
  }
  const blobs = await readBlobs(wanted.map(({ id }) => id))
  for (const [index, { path }] of wanted.entries()) source.files.push({ name: path, bytes: blobs[index]! })
}

function unknownRevision({ revision, path }: GitSide, isRemote: boolean, isShallow: boolean): Problem {
  const message = `There is no revision "${revision}" in this git repository${isShallow ? ', which is a shallow clone' : ''}.`
  if (isRemote) return new Problem('cli.input', message, { hint: `git:origin/${revision}:${path}` })
  if (isShallow) {
    return new Problem('cli.input', message, {
      hint: 'fetch more of it: "git fetch --unshallow", or fetch-depth: 0 for actions/checkout',
    })
  }
  return new Problem('cli.input', message, {
    hint: 'a branch, a tag or a commit; "git fetch" brings what is elsewhere',
  })
}

async function unknownPath(side: GitSide, root: string): Promise<Problem> {
  const { revision, path } = side
  const { workingFolder } = await findRepository()
  const message = `There is no file or directory "${path}" in revision "${revision}".`
  if (workingFolder === '' || isRelative(path)) return new Problem('cli.input', message)
  const [below] = await findObjects([`${root}:${workingFolder}${path}`])
  if (below === undefined) return new Problem('cli.input', message)
  return new Problem('cli.input', message, { hint: `git:${revision}:./${path}` })
}

const refused = ({ revision, path }: GitSide, what: string, hint: string) =>
  new Problem('cli.input', `"${path}" ${what} in revision "${revision}".`, { hint })
