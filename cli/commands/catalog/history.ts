import { string as text } from '@oclif/core/args'
import { integer } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, environmentName } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { historyLines, importLines } from '../../screens/history.ts'
import { getImport, listImports } from '../../tasks/history.ts'
import { visible } from '../../visible-text.ts'

export default class CatalogHistory extends LicetCommand {
  static override summary = 'List the imports of an environment, or show what one of them changed.'
  static override description =
    'Who imported, when, from where, how much it changed and the revisions before and after; the newest first. With the id of an import: its whole report, field by field.'
  static override examples = [
    '<%= config.bin %> catalog history --env production',
    '<%= config.bin %> catalog history --env production --limit 200 --json',
    '<%= config.bin %> catalog history 01a1fe79-f7b7-75dc-87da-62de5eb021bd --env production',
  ]
  static override args = { import: text({ description: 'The id of an import, to see what it changed.' }) }
  static override flags = {
    env: environmentFlag,
    limit: integer({ char: 'n', default: 20, min: 1, max: 10_000, summary: 'The most imports to list.' }),
  }

  async run() {
    const { args, flags } = await this.parse(CatalogHistory)
    const environment = await chooseEnvironment(flags.env)
    const name = environmentName(environment)
    const canvas = canvasOf(process.stdout)
    if (args.import !== undefined) {
      const one = await getImport(environment, args.import)
      for (const line of importLines(one, name, canvas)) this.log(line)
      return one
    }
    const { imports, total } = await listImports(environment, flags.limit)
    if (imports.length === 0) this.log(visible(`Nothing has been imported into ${name} yet.`))
    else for (const line of historyLines(imports, canvas)) this.log(line)
    if (total > imports.length) this.log(`The latest ${imports.length} of ${total}; --limit shows more.`)
    return { total, imports }
  }
}
