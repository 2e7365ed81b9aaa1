import { string as text } from '@oclif/core/args'
import { integer } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, environmentName } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { userListLines } from '../../screens/users.ts'
import { listUsers } from '../../tasks/users.ts'
import { visible } from '../../visible-text.ts'

export default class UserList extends LicetCommand {
  static override summary = 'List the end users, the newest first, or those that a text leads to.'
  static override description =
    'The text is a part of the e-mail address, the name or the external reference; letter case does not matter. Needs the scope admin.users:read.'
  static override examples = ['<%= config.bin %> user list', '<%= config.bin %> user list acme.example --json']
  static override args = { text: text({ description: 'A part of what the users are called.' }) }
  static override flags = {
    env: environmentFlag,
    limit: integer({ char: 'n', default: 50, min: 1, max: 10_000, summary: 'The most users to list.' }),
  }

  async run() {
    const { args, flags } = await this.parse(UserList)
    const environment = await chooseEnvironment(flags.env)
    const { items, total } = await listUsers(environment, args.text, flags.limit)
    const none = args.text?.trim() ? 'no such user' : 'no user yet'
    if (items.length === 0) this.log(visible(`${environmentName(environment)} has ${none}.`))
    else for (const line of userListLines(items, canvasOf(process.stdout))) this.log(line)
    if (total > items.length) this.log(`The latest ${items.length} of ${total}; --limit shows more.`)
    return { total, users: items }
  }
}
