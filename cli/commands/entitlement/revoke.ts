import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, environmentName } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { confirmChange } from '../../prompts/confirming.ts'
import { sessionArgument } from '../../record-ids.ts'
import { deviceWords } from '../../screens/seats.ts'
import { getSeat, revokeSeat } from '../../tasks/seats.ts'
import { visible } from '../../visible-text.ts'

export default class EntitlementRevoke extends LicetCommand {
  static override summary = 'Take the licence from a device.'
  static override description =
    'Its seat is free at once and its next call is refused. It may activate again where there is a seat, unless --block-device keeps it away; "licet entitlement unblock" lets it in again. To free the seat of a lost device, release it. Needs the scopes admin.sessions:read and admin.sessions:update.'
  static override examples = [
    '<%= config.bin %> entitlement revoke 01a1fe79-f7b7-75dc-87da-62de5eb021bd --reason "stolen" --block-device',
    '<%= config.bin %> entitlement revoke 01a1fe79-f7b7-75dc-87da-62de5eb021bd --yes --json',
  ]
  static override args = { session: sessionArgument }
  static override flags = {
    env: environmentFlag,
    reason: string({ summary: 'Why, for those who read the record.', helpValue: 'TEXT' }),
    'block-device': boolean({ summary: 'Keep the device from activating on this entitlement again.' }),
    ...confirmFlags,
  }

  async run() {
    const { args, flags } = await this.parse(EntitlementRevoke)
    const { reason, 'block-device': blockDevice = false } = flags
    const environment = await chooseEnvironment(flags.env)
    const device = deviceWords(await getSeat(environment, args.session))
    const deed = blockDevice ? 'Revoke the session of, and block,' : 'Revoke the session of'
    const question = `${deed} ${device} in ${environmentName(environment)}?`
    await confirmChange({ question, environment, ...flags })
    const seat = await revokeSeat(environment, args.session, { reason, blockDevice })
    this.log(visible(`The session of ${device} is revoked${blockDevice ? ', and the device blocked' : ''}.`))
    return seat
  }
}
