import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { sessionArgument } from '../../record-ids.ts'
import { deviceWords } from '../../screens/seats.ts'
import { releaseSeat } from '../../tasks/seats.ts'
import { visible } from '../../visible-text.ts'

export default class EntitlementRelease extends LicetCommand {
  static override summary = 'Free the seat of a device that is lost or broken.'
  static override description =
    'The seat is free at once, whatever the license policy says of releasing, and the next call of the device is refused; it may activate again where there is a seat. Released again, the answer is the same. Needs the scope admin.sessions:update.'
  static override examples = ['<%= config.bin %> entitlement release 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  static override args = { session: sessionArgument }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(EntitlementRelease)
    const seat = await releaseSeat(await chooseEnvironment(flags.env), args.session)
    this.log(visible(`The seat of ${deviceWords(seat)} is free (session ${seat.id}).`))
    return seat
  }
}
