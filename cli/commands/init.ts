import { join } from 'node:path'
import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../base-command.ts'
import { tenantUrl } from '../environments/environment.ts'
import { readUserEnvironments } from '../environments/user-file.ts'
import { beginProject } from '../tasks/init/init.ts'
import { workflowFile } from '../tasks/init/workflow.ts'
import { visible } from '../visible-text.ts'

export default class Init extends LicetCommand {
  static override summary = 'Begin a project: a small catalog, licet.yaml, and a workflow that reviews and releases it.'
  static override description =
    'The workflow is for GitHub Actions: a pull request gets a comment with what it changes in staging, a merge is imported there, and production gets a plan that somebody approves. It says in its first lines which secrets it needs, and runs the licet that the repository depends on (npm ci). Nothing that is there is overwritten without --force, a catalog of your own gets nothing of the sample, and all files are written or none.'
  static override examples = [
    '<%= config.bin %> init',
    '<%= config.bin %> init acme --staging-url https://licenses.example.com/t/acme-staging --production-url https://licenses.example.com/t/acme',
  ]
  static override args = { directory: text({ description: 'Where to; the working directory when left out.' }) }
  static override flags = {
    'staging-url': string({
      summary: 'The base URL of the tenant for staging (…/t/SLUG); without it, that of your own environment staging.',
      helpValue: 'URL',
    }),
    'production-url': string({
      summary: 'The base URL of the tenant for production; without it, that of your own environment production.',
      helpValue: 'URL',
    }),
    force: boolean({ summary: 'Replace files that are there already.' }),
  }

  async run() {
    const { args, flags } = await this.parse(Init)
    const directory = args.directory ?? '.'
    const { environments } = await readUserEnvironments()
    const known = {
      staging: flags['staging-url'] ?? environments.staging?.url,
      production: flags['production-url'] ?? environments.production?.url,
    }
    const example = 'https://licenses.example.com/t'
    const staging = tenantUrl(known.staging ?? `${example}/staging`, '--staging-url')
    const production = tenantUrl(known.production ?? `${example}/production`, '--production-url')
    const begun = await beginProject(directory, { staging, production, force: flags.force ?? false })
    for (const name of begun.written) this.log(visible(`  ${join(directory, name)}`))
    for (const name of begun.kept) this.log(visible(`  ${join(directory, name)} is there and stays as it is`))
    if (begun.repositoryAbove !== null)
      this.warn(
        `GitHub reads workflows only at the root of a repository: move ${workflowFile} to ${begun.repositoryAbove}, and give its jobs a working-directory.`,
      )
    this.log()
    this.log('Next:')
    if (directory !== '.') this.log(visible(`  cd ${directory}`))
    if (!known.staging || !known.production) this.log('  licet.yaml: put in the URLs of your two environments')
    this.log('  licet catalog validate')
    if (!environments.staging) this.log('  licet env add staging --url URL --client-id ID --client-secret-file -')
    this.log(`  ${workflowFile}: its first lines say what it needs`)
    this.log('  licet doctor')
    return begun
  }
}
