import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { licenseFileLines } from '../../screens/license.ts'
import { inspectLicense } from '../../tasks/inspect-license.ts'

export default class OfflineInspect extends LicetCommand {
  static override summary = 'Show what an offline request or response says, without checking it.'
  static override description =
    'Of a request: the device, the application, and the activation code by its last characters. Of a response: products, features and how long it is good, with times from now. License tokens are shown too. Needs no server and no key; whether a response is genuine is what "licet offline verify" tells.'
  static override examples = [
    '<%= config.bin %> offline inspect machine-7.json',
    '<%= config.bin %> offline inspect machine-7.response.json --json',
  ]
  static override args = {
    file: text({ required: true, description: 'The file with the request or response, or - for stdin.' }),
  }
  static override flags = {}

  async run() {
    const { args } = await this.parse(OfflineInspect)
    const { file, document } = await inspectLicense(args.file)
    for (const line of licenseFileLines(file, Date.now())) this.log(line)
    return document
  }
}
