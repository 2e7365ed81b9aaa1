import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { sessionArgument } from '../../record-ids.ts'
import { deviceWords } from '../../screens/seats.ts'
import { unblockDevice } from '../../tasks/seats.ts'
import { visible } from '../../visible-text.ts'

export default class EntitlementUnblock extends LicetCommand {
  static override summary = 'Let a blocked device activate again.'
  static override description =
    'Named by the session that was revoked, which stays so: "licet entitlement show --all" lists it. Needs the scope admin.sessions:update.'
  static override examples = ['<%= config.bin %> entitlement unblock 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  static override args = { session: sessionArgument }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(EntitlementUnblock)
    const seat = await unblockDevice(await chooseEnvironment(flags.env), args.session)
    this.log(visible(`${deviceWords(seat)} may activate again.`))
    return seat
  }
}
