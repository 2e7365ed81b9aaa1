import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { licenseFileLines } from '../../screens/license.ts'
import { inspectLicense } from '../../tasks/inspect-license.ts'

export default class LicenseInspect extends LicetCommand {
  static override summary = 'Show what a license token says, without checking it.'
  static override description =
    'Products, features and how long it is good, with times from now. Offline responses and requests are shown too. Needs no server and no key; whether a licence is genuine is what "licet license verify" tells.'
  static override examples = [
    '<%= config.bin %> license inspect licence.jwt',
    '<%= config.bin %> license inspect - --json < licence.jwt',
  ]
  static override args = { file: text({ required: true, description: 'The file with the token, or - for stdin.' }) }
  static override flags = {}

  async run() {
    const { args } = await this.parse(LicenseInspect)
    const { file, document } = await inspectLicense(args.file)
    for (const line of licenseFileLines(file, Date.now())) this.log(line)
    return document
  }
}
