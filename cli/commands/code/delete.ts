import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, environmentName } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { confirmChange } from '../../prompts/confirming.ts'
import { codeArgument, entitlementFlag } from '../../record-ids.ts'
import { deleteCode } from '../../tasks/codes.ts'

export default class CodeDelete extends LicetCommand {
  static override summary = 'Delete an activation code.'
  static override description =
    'Nothing is activated by it any more, and its text may be issued again; devices that it activated go on. Needs the scope admin.entitlements:delete.'
  static override examples = [
    '<%= config.bin %> code delete CODE_ID --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    '<%= config.bin %> code delete CODE_ID --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd --yes --json',
  ]
  static override args = { code: codeArgument }
  static override flags = { env: environmentFlag, entitlement: entitlementFlag, ...confirmFlags }

  async run() {
    const { args, flags } = await this.parse(CodeDelete)
    const environment = await chooseEnvironment(flags.env)
    const question = `Delete the activation code ${args.code} in ${environmentName(environment)}?`
    await confirmChange({ question, environment, ...flags })
    await deleteCode(environment, flags.entitlement, args.code)
    this.log(`Deleted the activation code ${args.code}.`)
    return { deleted: args.code }
  }
}
