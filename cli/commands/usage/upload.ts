import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { holderFlags, holderOf } from '../../metering/holder-flags.ts'
import { exitCodes } from '../../problems.ts'
import { uploadedLines } from '../../screens/usage.ts'
import { uploadUsage } from '../../tasks/upload-usage.ts'

export default class UsageUpload extends LicetCommand {
  static override summary = 'Upload client transaction records: usage that was metered where there was no network.'
  static override description =
    'The file is a JSON array, or JSON Lines with a record on each line. It goes up in batches of at most 1,000, the lowest transactionId first; a record is counted once however often it is sent, so the same upload again is safe. A line that cannot be read, as a crash may leave one, or that the server would not take as JSON or for its size (1 MiB) holds up none of the others. Records that are rejected are told with their lines, and their indices in a JSON array (the first 200; --json lists all), and the exit code is 1 then. With --license they are uploaded by the session of that token; with --entitlement by the client of the environment, which needs the scope operational.entitlements:update.'
  static override examples = [
    '<%= config.bin %> usage upload usage.jsonl --license licence.jwt',
    '<%= config.bin %> usage upload - --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd --env production < usage.json',
    '<%= config.bin %> usage upload usage.jsonl --license licence.jwt --json',
  ]
  static override args = { file: text({ required: true, description: 'The file with the records, or - for stdin.' }) }
  static override flags = { env: environmentFlag, ...holderFlags }

  async run() {
    const parsed = await this.parse(UsageUpload)
    const { args, flags } = parsed
    const uploaded = await uploadUsage(args.file, holderOf(parsed), flags.env)
    for (const line of uploadedLines(uploaded, args.file)) this.log(line)
    if (uploaded.rejected.length > 0) process.exitCode = exitCodes.failed
    return uploaded
  }
}
