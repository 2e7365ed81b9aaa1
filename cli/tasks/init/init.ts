import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { catalogFileJsonSchema } from '../../../catalog-schema/json-schema.ts'
import { findStanding, publishFiles } from '../../catalog-files/publishing.ts'
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

/**
 * Writes a project to begin with: catalog, project file and workflow; all or nothing. A .gitignore that is there is
 * left alone. Raises cli.output when anything else is there already, says something else, and `force` is not given.
 */
export async function beginProject(
  directory: string,
  { force, ...urls }: { force: boolean; staging: string; production: string },
): Promise<Beginning> {
  const catalog = Object.entries(starterCatalog).map(([name, text]) => ({ name: `${catalogName}/${name}`, text }))
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
  await publishFiles(directory, all)
  return {
    directory,
    written: all.map(({ name }) => name).sort(),
    kept: hasIgnored ? ['.gitignore'] : [],
    repositoryAbove: repositoryAbove(directory),
  }
}

function repositoryAbove(directory: string): string | null {
  if (existsSync(join(directory, '.git'))) return null
  for (let above = dirname(resolve(directory)); ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return above
    if (dirname(above) === above) return null
  }
}
