import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Environment, environmentFrom, unknownKey } from './environments/environment.ts'
import { readInputText } from './input-files.ts'
import { Problem } from './problems.ts'

/** What a project says in its committed `licet.yaml`: where its catalog is and which environments it knows, never credentials. */
export interface ProjectFile {
  path: string
  /** The catalog directory, as written: relative to the file. */
  catalog?: string
  /** The environment used when none is named. */
  environment?: string
  environments: Record<string, Environment>
}

/** The `licet.yaml` nearest to the working directory, looked for upward to the git root; null when there is none. Raises cli.environment. */
export async function findProjectFile(): Promise<ProjectFile | null> {
  for (let directory = process.cwd(); ; directory = dirname(directory)) {
    const path = join(directory, 'licet.yaml')
    if (existsSync(path)) return projectFileFrom(await parse(path), path)
    if (existsSync(join(directory, '.git')) || dirname(directory) === directory) return null
  }
}

async function parse(path: string): Promise<unknown> {
  const text = await readInputText(path, { limit: 1024 * 1024 })
  if (text.split('\n').every((line) => /^\s*(?:#|$)/.test(line))) return null
  const { load, YAMLException } = await import('js-yaml')
  try {
    return load(text)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const at = error.mark ? `:${error.mark.line + 1}:${error.mark.column + 1}` : ''
    throw new Problem('cli.environment', `${path}${at} is not YAML: ${error.reason ?? 'unreadable'}.`)
  }
}

/** A parsed project file, checked; `path` names it in messages. */
function projectFileFrom(value: unknown, path: string): ProjectFile {
  const content = value ?? {}
  if (typeof content !== 'object' || Array.isArray(content))
    throw new Problem('cli.environment', `${path} is not a mapping.`)
  const { catalog, environment, environments, ...others } = content as Record<string, unknown>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw unknownKey(path, unknown, ['catalog', 'environment', 'environments'])
  for (const [key, text] of Object.entries({ catalog, environment })) {
    if (text !== undefined && typeof text !== 'string')
      throw new Problem('cli.environment', `${path}: ${key} must be a string.`)
  }
  if (typeof (environments ?? {}) !== 'object' || Array.isArray(environments))
    throw new Problem('cli.environment', `${path}: environments must be a mapping of their names.`)
  const checked: Record<string, Environment> = {}
  for (const [name, entry] of Object.entries(environments ?? {})) {
    if (typeof entry === 'object' && entry !== null && 'clientSecret' in entry) {
      throw new Problem(
        'cli.environment',
        `${path}: environment "${name}" holds a client secret; credentials never belong in a committed file.`,
        {
          hint: 'remove it, rotate that secret, and use LICET_CLIENT_SECRET or "licet env add"',
        },
      )
    }
    checked[name] = environmentFrom(entry, `${path}: environment "${name}"`)
  }
  return {
    path,
    ...(typeof catalog === 'string' && { catalog }),
    ...(typeof environment === 'string' && { environment }),
    environments: checked,
  }
}
