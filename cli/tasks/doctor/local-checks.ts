import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readUserEnvironments, userFilePath } from '../../environments/user-file.ts'
import { countFindings } from '../../findings.ts'
import type { ProjectFile } from '../../project-file.ts'
import { readSource } from '../../sides/local-catalog.ts'
import { catalogDirectory } from '../../sides/side.ts'
import { version } from '../../version.ts'
import { findRepositoryRoot } from '../../workspace-paths.ts'
import { validateCatalog } from '../validate.ts'
import { type Check, failed, missing, ok, problem } from './check.ts'

const wantedNode = 22

/** The Node that runs this, and licet itself. */
export function checkPrograms(): Check[] {
  const { node } = process.versions
  const isOld = Number(node.split('.')[0]) < wantedNode
  return [
    isOld ? problem('Node', node, `licet needs Node ${wantedNode} or newer`) : ok('Node', node),
    ok('licet', version),
  ]
}

export function checkProject(project: ProjectFile | null | Error): Check {
  if (project instanceof Error) return failed('project file', project, 'mend licet.yaml')
  if (project === null)
    return missing('project file', 'there is no licet.yaml here, nor above up to the git root', 'licet init')
  return ok('project file', project.path)
}

const nextToCatalog = 'licet init, or licet catalog export DIR --env NAME'

/** The catalog of a project is there and has no errors; which of its YAML files tell editors their schema. */
export async function checkCatalog(project: ProjectFile | null): Promise<Check[]> {
  // The working directory of something else has YAML and JSON files, too.
  if (project === null) return [missing('catalog', 'no licet.yaml says where it is', nextToCatalog)]
  const directory = await catalogDirectory(undefined)
  try {
    const { source } = await readSource(directory)
    const { findings, items, files } = validateCatalog(source)
    const counted = `${directory}: ${items} items in ${files} files, ${countFindings(findings)}`
    const isWrong = findings.some(({ severity }) => severity === 'error')
    const next = `licet catalog validate ${directory}`
    const yaml = source.files.filter(({ name }) => /\.ya?ml$/i.test(name))
    const bare = yaml.filter(({ bytes }) => !/yaml-language-server:\s*\$schema=/.test(headOf(bytes)))
    const told = `${yaml.length - bare.length} of ${yaml.length} files name it on their first line`
    return [
      isWrong ? problem('catalog', counted, next) : ok('catalog', counted),
      bare.length === 0
        ? ok('editor schema', told)
        : missing(
            'editor schema',
            told,
            `begin each file with "# yaml-language-server: $schema=…" (licet init and export do)`,
          ),
    ]
  } catch (thrown) {
    const text = thrown instanceof Error ? thrown.message : String(thrown)
    return [missing('catalog', text, nextToCatalog)]
  }
}

const headOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes.subarray(0, 400)).split('\n')[0]!

/** The file that holds secrets belongs to the user alone. */
export async function checkUserFile(): Promise<Check> {
  const path = userFilePath()
  try {
    const { environments, current } = await readUserEnvironments()
    if (!existsSync(path)) return missing('own settings', `there is no ${path}`, 'licet env add')
    const count = Object.keys(environments).length
    return ok('own settings', `${path}, readable by you alone; ${count} environments, in use: ${current ?? 'none'}`)
  } catch (thrown) {
    return failed('own settings', thrown, `chmod 600 ${path}`)
  }
}

/** The repository, and a workflow of it that runs licet. */
export async function checkRepository(): Promise<Check[]> {
  const root = findRepositoryRoot()
  if (root === undefined)
    return [
      missing('git', 'this is no git repository', 'git init'),
      missing('workflow', 'needs a repository', 'git init'),
    ]
  const folder = join(root, '.github/workflows')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => /\.ya?ml$/.test(each))) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    if (/\blicet catalog\b/.test(text)) return [ok('git', root), ok('workflow', `.github/workflows/${name}`)]
  }
  return [ok('git', root), missing('workflow', 'no workflow runs "licet catalog"', 'licet init')]
}

/** Whether the shell completes licet, as far as files tell. */
export async function checkCompletion(): Promise<Check> {
  const { HOME: home = '', SHELL: path = '', XDG_DATA_HOME, XDG_CONFIG_HOME } = process.env
  const shell = path.split('/').at(-1)!
  const data = XDG_DATA_HOME || join(home, '.local/share')
  const config = XDG_CONFIG_HOME || join(home, '.config')
  const files = [join(data, 'bash-completion/completions/licet'), join(config, 'fish/completions/licet.fish')]
  const starts = ['.bashrc', '.bash_profile', '.zshrc', '.config/fish/config.fish'].map((name) => join(home, name))
  const found = files.find((file) => existsSync(file))
  if (found) return ok('completion', found)
  for (const start of starts) {
    const text = await readFile(start, 'utf8').catch(() => '')
    if (/licet completion/.test(text)) return ok('completion', start)
  }
  const named = ['bash', 'zsh', 'fish'].includes(shell) ? shell : 'bash'
  return missing('completion', 'not found (it may be elsewhere)', `optional: licet completion ${named} --help`)
}
