import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isGitSide, isRelative, readGitSide } from './sides/git-side.ts'

/** Where paths in annotations start: the workspace of the workflow, else the root of the git repository, else the working directory. */
export function findWorkspace(variables: NodeJS.ProcessEnv = process.env, from = process.cwd()): string {
  if (variables.GITHUB_WORKSPACE) return realPathOf(resolve(from, variables.GITHUB_WORKSPACE))
  return findRepositoryRoot(from) ?? from
}

/** The directory, upward from here, that holds `.git`; undefined outside of a repository. */
function findRepositoryRoot(from = process.cwd()): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) return directory
    if (dirname(directory) === directory) return undefined
  }
}

/**
 * The path of a file, as messages name it, from the workspace and with `/`; a file of a git revision has the path that
 * it has in the repository. Undefined for what is not in the workspace, such as stdin.
 */
export function pathInWorkspace(shown: string, workspace: string, from = process.cwd()): string | undefined {
  if (shown === 'stdin') return undefined
  const path = isGitSide(shown) ? pathOfGitFile(shown, from) : resolve(from, shown)
  const inside = [path, realPathOf(path)].map((each) => relative(workspace, each)).find(isInside)
  return inside?.split(sep).join('/')
}

const isInside = (path: string) => path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)

function pathOfGitFile(shown: string, from: string): string {
  const { path } = readGitSide(shown)
  return resolve(isRelative(path) ? from : (findRepositoryRoot(from) ?? from), path)
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
