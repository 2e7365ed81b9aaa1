import { posix } from 'node:path'
import { Problem } from '../problems.ts'

/** Files as they are in a revision, as `git:REV:path` names them. */
export interface GitSide {
  revision: string
  /** As it was written: from the root of the repository, or from the working directory when it starts with a dot. */
  path: string
}

const prefix = 'git:'

/** Whether a text names files of a revision; a directory of that name is `./git:…`. */
export const isGitSide = (text: string) => text.startsWith(prefix)

/**
 * Reads `git:REV:path`; an empty path is the root of the repository. A revision never starts with a dash, so that
 * nothing takes it for an option, and holds no line break, which ends it where git reads it. Raises cli.usage.
 */
export function readGitSide(text: string): GitSide {
  const colon = text.indexOf(':', prefix.length)
  const revision = text.slice(prefix.length, colon < 0 ? undefined : colon)
  const path = colon < 0 ? undefined : text.slice(colon + 1)
  if (revision === '' || path === undefined) {
    throw new Problem('cli.usage', `"${text}" names no ${revision === '' ? 'revision' : 'path'}.`, {
      hint: 'git:REV:PATH, such as git:main:catalog; git:main: is the root of the repository',
    })
  }
  if (revision.startsWith('-') || /[\0\r\n]/.test(revision) || /[\0\r\n]/.test(path)) {
    throw new Problem(
      'cli.usage',
      `"${text}" is not git:REV:PATH: a revision starts with no dash, and neither holds a line break.`,
    )
  }
  return { revision, path }
}

/**
 * The path from the root of the repository, without a slash at its end; one that starts with `./` or `../` is taken
 * from the working directory, given as git gives it (`sub/folder/`). Undefined when it leaves the repository.
 */
export function pathInRepository(path: string, workingFolder: string): string | undefined {
  if (!isRelative(path)) return path.replace(/\/+$/, '')
  const joined = posix.join(workingFolder, path).replace(/\/+$/, '')
  if (joined === '..' || joined.startsWith('../')) return undefined
  return joined === '.' ? '' : joined
}

/** Whether git takes a path from the working directory. */
export const isRelative = (path: string) => /^\.\.?(?:\/|$)/.test(path)

/** How a file below a git side is called in messages: as `git show` would take it, after `git:`. */
export function shownGitName(text: string, name: string): string {
  if (name === '.') return text
  return /[:/]$/.test(text) ? `${text}${name}` : `${text}/${name}`
}
