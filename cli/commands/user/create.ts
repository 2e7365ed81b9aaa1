import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, envWords } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { userLines } from '../../screens/users.ts'
import { createUser } from '../../tasks/users.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class UserCreate extends LicetCommand {
  static override summary = 'Make an end user.'
  static override description =
    'No two users of a tenant have one e-mail address. What the user may use is said by "licet user assign". Needs the scope admin.users:create.'
  static override examples = [
    '<%= config.bin %> user create anna@acme.example --name "Anna" --verified',
    '<%= config.bin %> user create anna@acme.example --external-reference crm-7 --json',
  ]
  static override args = { email: text({ required: true, description: 'The e-mail address.' }) }
  static override flags = {
    env: environmentFlag,
    name: string({ summary: 'What people call the user.' }),
    verified: boolean({ summary: 'The address is known to be theirs.' }),
    'external-reference': string({ summary: 'What another system calls the user.', helpValue: 'TEXT' }),
  }

  async run() {
    const { args, flags } = await this.parse(UserCreate)
    const { name: displayName, verified = false, 'external-reference': externalReference } = flags
    const environment = await chooseEnvironment(flags.env)
    const user = await createUser(environment, {
      email: args.email,
      emailVerified: verified,
      ...(displayName !== undefined && { displayName }),
      ...(externalReference !== undefined && { externalReference }),
    })
    for (const line of userLines(user, tenantNow())) this.log(line)
    this.log(`Next: licet user assign ${user.id} --entitlement ID${envWords(environment.name)}`)
    return user
  }
}
