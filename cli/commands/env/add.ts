import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { isClearText, readEnvironmentName, tenantUrl } from '../../environments/environment.ts'
import {
  changeUserEnvironments,
  readUserEnvironments,
  type UserEnvironments,
  userFilePath,
} from '../../environments/user-file.ts'
import { readSecret, secretLine, warnIfShared } from '../../input-files.ts'
import { Problem } from '../../problems.ts'
import { pipedOrAskedSecret } from '../../prompts/asking.ts'

export default class EnvAdd extends LicetCommand {
  static override summary = 'Add an environment: a tenant’s URL and the client that calls there.'
  static override description =
    'The secret comes from a file, from stdin (a pipe, or --client-secret-file -), from LICET_CLIENT_SECRET, or is asked for; never from an argument. It is kept in a file that only you can read. The first environment added is the one in use.'
  static override examples = [
    {
      description: 'The secret from a file',
      command:
        '<%= config.bin %> env add staging --url https://licenses.example.com/t/acme --client-id ci --client-secret-file secret.txt',
    },
    {
      description: 'The secret from a password manager, for an environment that changes must name',
      command:
        'pass acme/licet | <%= config.bin %> env add production --url https://licenses.example.com/t/acme --client-id ops --client-secret-file - --protected',
    },
  ]
  static override args = { name: text({ required: true, description: 'What to call it.' }) }
  static override flags = {
    url: string({ required: true, summary: 'The base URL of the tenant (…/t/SLUG).' }),
    'client-id': string({ required: true, summary: 'The id of the client.' }),
    'client-secret-file': string({
      summary: 'The file with the secret of the client; - for stdin.',
      helpValue: 'FILE',
    }),
    'tenant-id': string({ summary: 'The id of the tenant that must answer; commands stop when another one does.' }),
    protected: boolean({
      summary: 'What asks before it changes anything there asks for --confirm NAME; --yes is not enough.',
      description:
        'That is catalog apply, import, promote and rollback, which also ask for leave where a change hurts; code delete and revoke, entitlement cancel and revoke, webhook remove and requeue. Nothing else asks: not what can be taken back, such as entitlement suspend, nor api, whatever it sends.',
    }),
    force: boolean({ summary: 'Replace an environment of this name.' }),
  }

  async run() {
    const { args, flags } = await this.parse(EnvAdd)
    const name = readEnvironmentName(args.name)
    const isProtected = flags.protected ?? false
    const url = tenantUrl(flags.url, '--url')
    const refuseTaken = ({ environments }: UserEnvironments) => {
      if (!Object.hasOwn(environments, name) || flags.force) return
      throw new Problem('cli.environment', `There is an environment "${name}" already.`, {
        hint: '--force replaces it',
      })
    }
    refuseTaken(await readUserEnvironments())
    const clientSecret = await this.secret(flags['client-secret-file'])
    if (isClearText(url)) this.warn(`The secret will cross the network unencrypted to ${url}; use https.`)
    const stored = await changeUserEnvironments((held) => {
      refuseTaken(held)
      held.environments[name] = {
        url,
        clientId: flags['client-id'],
        clientSecret,
        ...(flags['tenant-id'] && { tenantId: flags['tenant-id'] }),
        protected: isProtected,
      }
      held.current ??= name
    })
    this.log(`Added ${name} (${url})${stored.current === name ? ', now in use' : ''}. Next: licet env check ${name}`)
    const tenantId = flags['tenant-id'] ?? null
    return {
      name,
      url,
      clientId: flags['client-id'],
      tenantId,
      protected: isProtected,
      current: stored.current === name,
      file: userFilePath(),
    }
  }

  private async secret(file: string | undefined): Promise<string> {
    if (file) {
      await warnIfShared(file)
      return readSecret(file)
    }
    const { LICET_CLIENT_SECRET: given } = process.env
    const answeredBy = '--client-secret-file FILE (- for stdin), or LICET_CLIENT_SECRET'
    const secret = given || secretLine(await pipedOrAskedSecret('Client secret:', answeredBy), 'stdin')
    if (secret === '')
      throw new Problem('cli.answer_needed', 'No secret was given; nothing was added.', { hint: answeredBy })
    return secret
  }
}
