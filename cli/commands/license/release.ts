import { LicetCommand } from '../../base-command.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { tokenFile } from '../../licenses/token-file.ts'
import { Problem } from '../../problems.ts'
import { lookFirst } from '../../server-connection/asking.ts'
import { callSession } from '../../tasks/license-session.ts'
import { visible } from '../../visible-text.ts'

export default class LicenseRelease extends LicetCommand {
  static override summary = 'Give the seat of a licence back.'
  static override description =
    'The token is refused from then on, though it still verifies offline until it expires: delete the file. Released again, the answer is the same; exits 2 where the licence is not valid any more. Asks the tenant that issued the token, unless --env or LICET_URL names another way there.'
  static override examples = [
    '<%= config.bin %> license release licence.jwt && rm licence.jwt',
    '<%= config.bin %> license release - --json < licence.jwt',
  ]
  static override args = { file: tokenFile }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(LicenseRelease)
    const answer = await callSession('release', args.file, flags.env)
    if (answer.released !== true)
      throw new Problem('cli.unreadable_answer', 'The server answered without saying that the seat is free.', {
        hint: lookFirst,
      })
    this.log(visible(`Released the session ${String(answer.sessionId)}; its seat is free.`))
    return answer
  }
}
