import { LicetCommand } from '../../base-command.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { tokenFile } from '../../licenses/token-file.ts'
import { Problem } from '../../problems.ts'
import { sessionLines } from '../../screens/license.ts'
import { lookFirst } from '../../server-connection/asking.ts'
import { callSession } from '../../tasks/license-session.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class LicenseCheckIn extends LicetCommand {
  static override summary = 'Tell the server that a licence is in use, and hear whether it still may be.'
  static override description =
    'The heartbeat of an application: it keeps a seat that is lost by inactivity (what keeps a lease, and a floating seat, is "licet license renew"), and exits 2 once the session was revoked or released, or its entitlement is suspended or over. Asks the tenant that issued the token, unless --env or LICET_URL names another way there.'
  static override examples = [
    '<%= config.bin %> license check-in licence.jwt',
    '<%= config.bin %> license check-in - --json < licence.jwt',
  ]
  static override args = { file: tokenFile }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(LicenseCheckIn)
    const answer = await callSession('check-in', args.file, flags.env)
    if (typeof answer.serverTime !== 'string')
      throw new Problem('cli.unreadable_answer', 'The server answered without saying that it heard.', {
        hint: lookFirst,
      })
    this.log('Checked in.')
    for (const line of sessionLines(answer, tenantNow())) this.log(line)
    return answer
  }
}
