import { string as text } from '@oclif/core/args'
import { integer, string } from '@oclif/core/flags'
import { LicetCommand } from '../base-command.ts'
import { chooseEnvironment } from '../environments/choosing.ts'
import { environmentFlag } from '../environments/environment-flag.ts'
import { readInstant } from '../instants.ts'
import { Problem } from '../problems.ts'
import { recordFlag } from '../record-ids.ts'
import { auditLines, auditListLines } from '../screens/audit.ts'
import { canvasOf } from '../screens/canvas.ts'
import { getAuditEntry, listAudit } from '../tasks/audit.ts'
import { tenantNow } from '../tenant-clock.ts'
import { isTyped } from '../typed-flags.ts'

export default class Audit extends LicetCommand {
  static override summary = 'List who did what to which record, the latest first; or show one entry, field by field.'
  static override description =
    'What clients, users and the operator of the server changed; what applications do at run time and what was refused is not among it. Secrets, tokens and codes are left out. Needs the scope admin.audit:read; with admin.clients:read clients are called by their names.'
  static override examples = [
    '<%= config.bin %> audit --record 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    "<%= config.bin %> audit --operation 'admin.clients.*' --since 2026-11-21T00:00:00Z --json",
    '<%= config.bin %> audit 01a1fe7a-0a55-7a38-9c5a-8bbf7be5f6b2',
  ]
  static override args = { entry: text({ description: 'The id of an entry, to see what changed.' }) }
  static override flags = {
    env: environmentFlag,
    record: recordFlag,
    actor: string({
      summary: 'Only what this client did, by the name or id, or this user, by the id; or "operator".',
      helpValue: 'ACTOR',
    }),
    operation: string({
      summary: 'Only this operation, or those that begin so: admin.clients.*',
      helpValue: 'NAME',
    }),
    'correlation-id': string({ summary: 'Only what was done in this request.', helpValue: 'ID' }),
    since: string({
      parse: readInstant('--since'),
      summary: 'Only what was done at this instant or later.',
      helpValue: 'DATE-TIME',
    }),
    limit: integer({ char: 'n', default: 50, min: 1, max: 10_000, summary: 'The most entries to list.' }),
  }

  async run() {
    const { args, flags, raw } = await this.parse(Audit)
    const { env, limit, record, actor, operation, since, 'correlation-id': correlationId } = flags
    const canvas = canvasOf(process.stdout)
    if (args.entry !== undefined) {
      if (isTyped(raw, 'record', 'actor', 'operation', 'correlation-id', 'since'))
        throw new Problem('cli.usage', 'An entry is named, or entries are listed by flags; not both.')
      const entry = await getAuditEntry(await chooseEnvironment(env), args.entry)
      for (const line of auditLines(entry, tenantNow(), canvas)) this.log(line)
      return entry
    }
    const query = { record, actor, operation, correlationId, since }
    const { items, total } = await listAudit(await chooseEnvironment(env), query, limit)
    if (items.length === 0) this.log('Nothing of the kind was done.')
    else for (const line of auditListLines(items, canvas)) this.log(line)
    if (total > items.length) this.log(`The latest ${items.length} of ${total}; --limit shows more.`)
    return { total, entries: items }
  }
}
