import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isGitSide, isRelative, readGitSide } from './sides/git-side.ts'

/**
 * Where paths in annotations and plans start: the workspace of the workflow, else the root of the git repository, else the
 * working directory.
 */
export function findWorkspace(): string {
  const { GITHUB_WORKSPACE: workspace } = process.env
  return workspace ? realPathOf(resolve(workspace)) : (findRepositoryRoot() ?? process.cwd())
}

/** The directory, upward from here, that holds `.git`; undefined outside of a repository. */
export function findRepositoryRoot(): string | undefined {
  for (let directory = process.cwd(); ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) return directory
    if (dirname(directory) === directory) return undefined
  }
}

/**
 * The path of a file, as messages name it, from the workspace and with `/`; a file of a git revision has the path that
 * it has in the repository. Undefined for what is not in the workspace, such as stdin.
 */
export function pathInWorkspace(shown: string, workspace: string): string | undefined {
  if (shown === 'stdin') return undefined
  const path = isGitSide(shown) ? pathOfGitFile(shown) : resolve(shown)
  const inside = [path, realPathOf(path)].map((each) => relative(workspace, each)).find(isInside)
  return inside?.split(sep).join('/')
}

/** Whether a path that starts at a directory stays in there. */
export const isInside = (path: string) => path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)

function pathOfGitFile(shown: string): string {
  const { path } = readGitSide(shown)
  return resolve(isRelative(path) ? '.' : (findRepositoryRoot() ?? '.'), path)
}

/** Where a path leads, every link followed; what is not there yet is put below the folder that would have it. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path))
  }
}
