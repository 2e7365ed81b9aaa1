import { randomUUID } from 'node:crypto'
import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { readAmount } from '../../metering/amount.ts'
import { readConsumptionKey } from '../../metering/consumption-key.ts'
import { licenseFlag } from '../../metering/holder-flags.ts'
import { exitCodes, Problem } from '../../problems.ts'
import { decisionLines } from '../../screens/usage.ts'
import { consumeUsage } from '../../tasks/consume-usage.ts'
import { openSession } from '../../tasks/licensed-session.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class UsageConsume extends LicetCommand {
  static override summary = 'Consume an amount of a metric, or ask whether it would be allowed.'
  static override description =
    'As an application does, with its license token. The decision is bound to the key: the same key again answers it again and consumes nothing more, so repeating after a failure is safe. Without --key one is made and told on stderr before anything is sent. Exits 2 when it is refused, with why and when to try again. Asks the tenant that issued the token, unless --env or LICET_URL names another way there.'
  static override examples = [
    '<%= config.bin %> usage consume render-minutes --license licence.jwt --amount 12.5 --key job-4711',
    '<%= config.bin %> usage consume render-minutes --license licence.jwt --amount 12.5 --dry-run',
    '<%= config.bin %> usage consume render-minutes --license - --json < licence.jwt',
  ]
  static override args = { metric: text({ required: true, description: 'The metric, exactly as the catalog has it.' }) }
  static override flags = {
    env: environmentFlag,
    license: licenseFlag,
    amount: string({ default: '1', parse: readAmount, summary: 'How much, as a decimal.', helpValue: 'N' }),
    key: string({
      parse: readConsumptionKey,
      summary: 'What names this consumption once and for ever: 1 to 200 characters.',
      helpValue: 'KEY',
    }),
    'dry-run': boolean({ summary: 'Only ask; consume nothing.' }),
  }

  async run() {
    const { args, flags } = await this.parse(UsageConsume)
    const isQuestion = flags['dry-run'] ?? false
    if (isQuestion && flags.key !== undefined) throw new Problem('cli.usage', 'A --dry-run consumes nothing: no --key.')
    const session = await openSession(flags.license, flags.env)
    const key = isQuestion ? null : (flags.key ?? randomUUID())
    if (key !== null && flags.key === undefined) process.stderr.write(`The key is ${key}.\n`)
    const decision = await consumeUsage(session, { metric: args.metric, amount: flags.amount, key })
    for (const line of decisionLines(decision, isQuestion, tenantNow())) this.log(line)
    if (!decision.allowed) process.exitCode = exitCodes.negative
    return decision
  }
}
