import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { catalogFileJsonSchema } from '../../../catalog-schema/json-schema.ts'
import { isCatalogName, isSkipped } from '../../catalog-files/catalog-paths.ts'
import { findStanding, publishFiles } from '../../catalog-files/publishing.ts'
import { directoryLock, whileLocked } from '../../locks.ts'
import { Problem } from '../../problems.ts'
import { catalogName, ignoredFiles, projectText } from './project.ts'
import { starterCatalog } from './starter-catalog.ts'
import { workflowFile, workflowText } from './workflow.ts'

export interface Beginning {
  directory: string
  /** The names of the files written, below the directory. */
  written: string[]
  /** Files that were there and are left as they are. */
  kept: string[]
  /** The root of the git repository, when the directory lies deeper in one: GitHub reads no workflow there. */
  repositoryAbove: string | null
}

interface BeginningOptions {
  force: boolean
  staging: string
  production: string
}

/**
 * Writes a project to begin with: catalog, project file and workflow; all or nothing. A .gitignore that is there is
 * left alone. Raises cli.output when anything else is there already, says something else, and `force` is not given; or
 * when the directory has a catalog of its own, which with `force` is left as it is and gets nothing of the sample.
 */
export async function beginProject(directory: string, options: BeginningOptions): Promise<Beginning> {
  return whileLocked(directoryLock(directory), directory, (interrupted) => beginInTurn(directory, options, interrupted))
}

async function beginInTurn(
  directory: string,
  { force, ...urls }: BeginningOptions,
  interrupted: AbortSignal,
): Promise<Beginning> {
  const own = await findOwnCatalog(directory)
  if (own.length > 0 && !force) {
    throw new Problem('cli.output', `Nothing was written: ${join(directory, catalogName)} has a catalog already.`, {
      hint: 'go on with it (licet catalog validate), or --force, which writes licet.yaml and the workflow anew and leaves the catalog',
      errors: own.map((name) => ({ path: join(directory, catalogName, name), message: 'is there already' })),
    })
  }
  const sample = own.length > 0 ? [] : Object.entries(starterCatalog)
  const catalog = sample.map(([name, text]) => ({ name: `${catalogName}/${name}`, text }))
  const schema = `${JSON.stringify(catalogFileJsonSchema(), null, 2)}\n`
  const files = [
    { name: 'licet.yaml', text: projectText(urls) },
    ...catalog,
    { name: `${catalogName}/.catalog.schema.json`, text: schema },
    { name: workflowFile, text: workflowText(catalogName) },
  ]
  const inTheWay = force ? [] : await findStanding(directory, files)
  if (inTheWay.length > 0) {
    throw new Problem('cli.output', `Nothing was written: ${inTheWay.length} of the files are there already.`, {
      hint: 'name another directory, or replace them with --force',
      errors: inTheWay.map((name) => ({ path: join(directory, name), message: 'is there already' })),
    })
  }
  const hasIgnored = existsSync(join(directory, '.gitignore'))
  const all = hasIgnored ? files : [...files, { name: '.gitignore', text: ignoredFiles }]
  await publishFiles(directory, all, interrupted)
  return {
    directory,
    written: all.map(({ name }) => name).sort(),
    kept: hasIgnored ? ['.gitignore'] : [],
    repositoryAbove: repositoryAbove(directory),
  }
}

/** The files of a catalog in the directory that are none of the sample's. */
async function findOwnCatalog(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, catalogName), { recursive: true }).catch(() => [])
  return names
    .map((name) => name.split(sep))
    .filter((parts) => isCatalogName(parts.at(-1)!) && !parts.some(isSkipped))
    .map((parts) => parts.join('/'))
    .filter((name) => !Object.hasOwn(starterCatalog, name))
    .sort()
}

function repositoryAbove(directory: string): string | null {
  if (existsSync(join(directory, '.git'))) return null
  for (let above = dirname(resolve(directory)); ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return above
    if (dirname(above) === above) return null
  }
}
