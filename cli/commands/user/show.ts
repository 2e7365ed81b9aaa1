import { integer } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, envWords } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { userArgument } from '../../record-ids.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { seatLines } from '../../screens/seats.ts'
import { userLines } from '../../screens/users.ts'
import { showUser } from '../../tasks/users.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class UserShow extends LicetCommand {
  static override summary = 'Show an end user, with the devices the user has activated.'
  static override description =
    'Those that the user activated signed in; released and revoked ones are among them. One that was activated by a code alone, even by a code of the user, is listed with its entitlement: "licet entitlement show". What is assigned to the user "licet entitlement find" tells. Needs the scopes admin.users:read and admin.sessions:read.'
  static override examples = [
    '<%= config.bin %> user show anna@acme.example',
    '<%= config.bin %> user show 01a1fe79-f7b7-75dc-87da-62de5eb021bd --json',
  ]
  static override args = { user: userArgument }
  static override flags = {
    env: environmentFlag,
    limit: integer({ char: 'n', default: 50, min: 1, max: 10_000, summary: 'The most sessions to list.' }),
  }

  async run() {
    const { args, flags } = await this.parse(UserShow)
    const environment = await chooseEnvironment(flags.env)
    const shown = await showUser(environment, args.user, flags.limit)
    const { user, sessions, more } = shown
    const now = tenantNow()
    for (const line of userLines(user, now)) this.log(line)
    this.log()
    if (sessions.length === 0)
      this.log(
        `No device has been activated by the user. What is assigned: licet entitlement find ${user.id}${envWords(environment.name)}`,
      )
    else for (const line of seatLines(sessions, now, canvasOf(process.stdout))) this.log(line)
    if (more) this.log('… and more (--limit)')
    return shown
  }
}
