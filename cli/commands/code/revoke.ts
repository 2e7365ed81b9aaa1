import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, environmentName } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { confirmChange } from '../../prompts/confirming.ts'
import { codeArgument, entitlementFlag } from '../../record-ids.ts'
import { revokeCode } from '../../tasks/codes.ts'

export default class CodeRevoke extends LicetCommand {
  static override summary = 'Revoke an activation code for good.'
  static override description =
    'Nothing is activated by it any more; devices that it activated go on. Needs the scope admin.entitlements:update.'
  static override examples = [
    '<%= config.bin %> code revoke CODE_ID --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    '<%= config.bin %> code revoke CODE_ID --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd --yes --json',
  ]
  static override args = { code: codeArgument }
  static override flags = { env: environmentFlag, entitlement: entitlementFlag, ...confirmFlags }

  async run() {
    const { args, flags } = await this.parse(CodeRevoke)
    const environment = await chooseEnvironment(flags.env)
    const question = `Revoke the activation code ${args.code} in ${environmentName(environment)}?`
    await confirmChange({ question, environment, ...flags })
    const code = await revokeCode(environment, flags.entitlement, args.code)
    this.log(`The activation code ${code.id} is revoked.`)
    return code
  }
}
