import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { execa } from 'execa'
import { isCatalogName, isSkipped } from '../catalog-files/catalog-paths.ts'
import { gitSwitches } from '../sides/git-objects.ts'
import { isGitSide, readGitSide } from '../sides/git-side.ts'
import type { PlanContent } from './plan-file.ts'

/**
 * The commit that the files of a catalog are of, and whether any of them is not as committed there; null for stdin and
 * outside of git. What else changed in the working tree does not matter.
 */
export async function gitRevisionOf(path: string): Promise<PlanContent['git']> {
  if (path === '-') return null
  if (isGitSide(path)) {
    const revision = await git(
      ['rev-parse', '--verify', '--end-of-options', `${readGitSide(path).revision}^{commit}`],
      '.',
    )
    return revision === undefined ? null : { revision: revision.trim(), dirty: false }
  }
  const isDirectory = (await stat(path)).isDirectory()
  const [folder, files] = isDirectory ? [path, '.'] : [dirname(path), `./${basename(path)}`]
  const revision = await git(['rev-parse', '--verify', 'HEAD'], folder)
  if (revision === undefined) return null
  const [changed, ignored] = await Promise.all([
    git(['status', '--porcelain', '--untracked-files=all', '--', files], folder),
    git(['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--', files], folder),
  ])
  const isLeftOut = ignored?.split('\0').some(isReadAsCatalog) ?? true
  return { revision: revision.trim(), dirty: changed !== '' || isLeftOut }
}

/** A file that git is told to ignore may well be one of the catalog's. */
const isReadAsCatalog = (path: string) => isCatalogName(path) && !path.split('/').some(isSkipped)

/** What git answers, without a file system monitor and taking no lock; undefined where it has no answer. */
async function git(words: string[], cwd: string): Promise<string | undefined> {
  const { failed, stdout } = await execa('git', [...gitSwitches, '-c', 'core.fsmonitor=false', ...words], {
    cwd,
    reject: false,
    timeout: 60_000,
    env: { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_LITERAL_PATHSPECS: '1' },
  })
  return failed ? undefined : stdout
}
