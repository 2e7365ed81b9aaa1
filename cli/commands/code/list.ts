import { integer } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, envWords } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { entitlementFlag } from '../../record-ids.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { codeLines } from '../../screens/codes.ts'
import { listCodes } from '../../tasks/codes.ts'

export default class CodeList extends LicetCommand {
  static override summary = 'List the activation codes of an entitlement.'
  static override description =
    'Each with the code itself, to be handed out: whoever has it may activate. Needs the scope admin.entitlements:read.'
  static override examples = [
    '<%= config.bin %> code list --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    '<%= config.bin %> code list --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd --json',
  ]
  static override flags = {
    env: environmentFlag,
    entitlement: entitlementFlag,
    limit: integer({ char: 'n', default: 50, min: 1, max: 10_000, summary: 'The most codes to list.' }),
  }

  async run() {
    const { flags } = await this.parse(CodeList)
    const environment = await chooseEnvironment(flags.env)
    const { items, total } = await listCodes(environment, flags.entitlement, flags.limit)
    if (items.length > 0) for (const line of codeLines(items, canvasOf(process.stdout))) this.log(line)
    else {
      this.log('It has no activation code yet.')
      this.log(`Next: licet code create --entitlement ${flags.entitlement}${envWords(environment.name)}`)
    }
    if (total > items.length) this.log(`The first ${items.length} of ${total}; --limit shows more.`)
    return { total, codes: items }
  }
}
