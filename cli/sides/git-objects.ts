import { ExecaError, execa } from 'execa'
import { Problem } from '../problems.ts'

/** The most bytes of names that one listing of a revision may take, and of objects read in one go (64 MiB and their heads). */
const maxListing = 64 * 1024 * 1024
const maxObjects = 80 * 1024 * 1024
/** How long git may take for one answer: a partial clone fetches what it lacks. */
const patienceMs = 120_000

/**
 * What git is always told: no pager, and that a directory which is laid out as a repository without a working tree is a directory
 * of files. A clone may bring one, and its configuration would have git run what it names.
 */
export const gitSwitches = ['--no-pager', '-c', 'safe.bareRepository=explicit']

/** What is at a name: an object, or nothing. */
export interface GitObject {
  id: string
  type: string
  /** In bytes. */
  size: number
}

/** An entry of a tree: its path from that tree, mode, object and size (null for what is no blob). */
export interface TreeEntry {
  path: string
  mode: string
  id: string
  size: number | null
}

/** Where the working directory is in its repository (`sub/folder/`, empty at the root), and whether the clone is shallow. */
export async function findRepository(): Promise<{ workingFolder: string; isShallow: boolean }> {
  const [shallow = '', workingFolder = ''] = (
    await text(['rev-parse', '--is-shallow-repository', '--show-prefix'])
  ).split('\n')
  return { workingFolder, isShallow: shallow === 'true' }
}

/** The object of each name, such as `main^{tree}` or `ID:path`; undefined where there is none. Names go by stdin, so that none is an option. */
export async function findObjects(names: readonly string[]): Promise<(GitObject | undefined)[]> {
  const lines = (await text(['cat-file', '--batch-check'], { input: linesOf(names) })).split('\n')
  return names.map((_, index) => readObjectLine(lines[index] ?? ''))
}

function readObjectLine(line: string): GitObject | undefined {
  const [, id, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? []
  return id === undefined || type === undefined ? undefined : { id, type, size: Number(size) }
}

/** What a link leads to: an object of the same tree, a way out of it, or nothing. */
export type LinkTarget = GitObject | 'outside' | 'nowhere'

/** What each path of a tree leads to with its links followed inside that tree. */
export async function followLinks(tree: string, paths: readonly string[]): Promise<LinkTarget[]> {
  const input = linesOf(paths.map((path) => `${tree}:${path}`))
  const answer = await bytes(['cat-file', '--batch-check', '--follow-symlinks'], { input })
  let offset = 0
  const line = () => {
    const end = answer.indexOf('\n', offset)
    const found = answer.toString('utf8', offset, end < 0 ? answer.length : end)
    offset = end < 0 ? answer.length : end + 1
    return found
  }
  return paths.map(() => {
    const first = line()
    const object = readObjectLine(first)
    if (object !== undefined) return object
    const [, what, size] = /^(symlink|dangling|loop|notdir) (\d+)$/.exec(first) ?? []
    if (size !== undefined) offset += Number(size) + 1
    return what === 'symlink' ? 'outside' : 'nowhere'
  })
}

/** The entries of a tree: everything below it, or what it holds itself. */
export async function listTree(tree: string, { deep }: { deep: boolean }): Promise<TreeEntry[]> {
  const listing = await text(['ls-tree', ...(deep ? ['-r'] : []), '-z', '-l', '--full-tree', tree])
  return listing.split('\0').flatMap((entry) => {
    const [, mode, id, size, path] = /^(\d+) \w+ ([0-9a-f]+) +(-|\d+)\t(.*)$/s.exec(entry) ?? []
    if (mode === undefined || id === undefined || path === undefined) return []
    return [{ path, mode, id, size: size === '-' ? null : Number(size) }]
  })
}

/** The bytes of each blob. */
export async function readBlobs(ids: readonly string[]): Promise<Uint8Array[]> {
  if (ids.length === 0) return []
  const answer = await bytes(['cat-file', '--batch'], { input: linesOf(ids) })
  let offset = 0
  return ids.map((id) => {
    const end = answer.indexOf('\n', offset)
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(answer.toString('latin1', offset, end)) ?? []
    if (size === undefined) throw new Problem('cli.input', `git does not have the object ${id}.`, { hint: 'git fsck' })
    const start = end + 1
    offset = start + Number(size) + 1
    return answer.subarray(start, start + Number(size))
  })
}

const linesOf = (names: readonly string[]) => names.map((name) => `${name}\n`).join('')

const text = async (words: string[], options: { input?: string } = {}) => (await bytes(words, options)).toString('utf8')

/** What git answers, without a shell, a pager or a question. Raises cli.input with git's own words. */
async function bytes(words: string[], { input = '' }: { input?: string } = {}): Promise<Buffer> {
  try {
    const { stdout } = await execa('git', [...gitSwitches, ...words], {
      input,
      encoding: 'buffer',
      stripFinalNewline: false,
      maxBuffer: words[0] === 'ls-tree' ? maxListing : maxObjects,
      timeout: patienceMs,
      env: { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' },
    })
    return Buffer.from(stdout)
  } catch (error) {
    throw error instanceof ExecaError ? gitProblem(error) : error
  }
}

function gitProblem(error: ExecaError): Problem {
  const details = { cause: error }
  if (error.code === 'ENOENT') {
    return new Problem('cli.input', 'git is not installed, or not on the PATH; git:REV:PATH is read with it.', details)
  }
  if (error.isMaxBuffer)
    return new Problem('cli.input', 'The revision holds more than is read from git; name a smaller directory.', details)
  if (error.timedOut) return new Problem('cli.input', `git did not answer within ${patienceMs / 1000} s.`, details)
  const said =
    Buffer.isBuffer(error.stderr) || error.stderr instanceof Uint8Array
      ? Buffer.from(error.stderr).toString('utf8')
      : String(error.stderr ?? '')
  const [first = ''] = said.split('\n')
  if (first.includes('dubious ownership')) {
    return new Problem('cli.input', 'The git repository belongs to somebody else, and git does not read it.', {
      ...details,
      hint: 'git config --global --add safe.directory DIRECTORY',
    })
  }
  if (first.includes('not a git repository')) {
    return new Problem('cli.input', 'The working directory is not in a git repository.', details)
  }
  return new Problem('cli.input', `git refused: ${first.replace(/^fatal: /, '') || error.shortMessage}`, details)
}
