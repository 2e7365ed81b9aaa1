import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { type ChosenEnvironment, chooseEnvironment, unknownEnvironment } from '../environments/choosing.ts'
import { readUserEnvironments } from '../environments/user-file.ts'
import { Problem } from '../problems.ts'
import { findProjectFile } from '../project-file.ts'
import { isGitSide } from './git-side.ts'

/** One side of a comparison: files here, or the environment of a tenant on a server. */
export type Side = { kind: 'files'; path: string } | { kind: 'environment'; environment: ChosenEnvironment }

/**
 * What `--from` or `--to` means: `-`, `git:REV:path` and paths with a slash or an ending are files, `env:NAME` an environment, a bare
 * word whichever of the two there is. Raises cli.usage when it could be both, cli.environment when it is neither.
 */
async function readSide(text: string): Promise<Side> {
  if (text.startsWith('env:')) return environmentSide(text.slice('env:'.length))
  if (text === '-' || isGitSide(text) || /[\\/]|^\.\.?$|\.(?:ya?ml|json)$/i.test(text))
    return { kind: 'files', path: text }
  const known = await knownEnvironments()
  const isFile = existsSync(text)
  if (known.includes(text) && isFile) {
    throw new Problem('cli.usage', `"${text}" is an environment, and a file or directory here.`, {
      hint: `env:${text} or ./${text}`,
    })
  }
  if (known.includes(text)) return environmentSide(text)
  if (isFile) return { kind: 'files', path: text }
  const { message, details } = unknownEnvironment(text, known)
  throw new Problem('cli.environment', message.replace(/\.$/, ', and no file or directory of that name.'), details)
}

const environmentSide = async (name: string): Promise<Side> => ({
  kind: 'environment',
  environment: await chooseEnvironment(name),
})

async function knownEnvironments(): Promise<string[]> {
  const [project, user] = await Promise.all([findProjectFile(), readUserEnvironments()])
  return [...new Set([...Object.keys(project?.environments ?? {}), ...Object.keys(user.environments)])]
}

/** The two sides of a comparison: an environment unless `from` says otherwise, the catalog directory unless `to` does. */
export async function readSides(named: {
  directory: string | undefined
  env: string | undefined
  from: string | undefined
  to: string | undefined
}): Promise<{ before: Side; after: Side }> {
  const { directory, env, from, to } = named
  if (directory !== undefined && to !== undefined) throw new Problem('cli.usage', 'Name either a directory or --to.')
  if (from === '-' && (to ?? directory) === '-') throw new Problem('cli.usage', 'Only one side can come from stdin.')
  return {
    before:
      from === undefined ? { kind: 'environment', environment: await chooseEnvironment(env) } : await readSide(from),
    after: to === undefined ? { kind: 'files', path: await catalogDirectory(directory) } : await readSide(to),
  }
}

/** The catalog directory that a command means: the one named, else licet.yaml's, else the working directory. */
export async function catalogDirectory(named: string | undefined): Promise<string> {
  if (named !== undefined) return named
  const project = await findProjectFile()
  if (project?.catalog === undefined) return '.'
  return relative(process.cwd(), resolve(dirname(project.path), project.catalog)) || '.'
}
