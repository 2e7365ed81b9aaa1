import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { deviceFlags, readDevice } from '../../licenses/device-flags.ts'
import { composeRequest } from '../../licenses/offline-request.ts'
import { refuseFile, writeLicense } from '../../licenses/writing.ts'
import { shellWord } from '../../shell-word.ts'
import { version } from '../../version.ts'
import { visible } from '../../visible-text.ts'

export default class OfflineRequest extends LicetCommand {
  static override summary = 'Make the request of a machine without a network for a licence.'
  static override description =
    'A file to carry to whoever issues (licet offline issue). It holds the activation code, so it is readable by you alone. Each run makes another request; one that is issued again is answered with the same licence.'
  static override examples = [
    '<%= config.bin %> offline request --activation-code-file code.txt --fingerprint 5f3a… --out machine-7.json',
    '<%= config.bin %> offline request --activation-code ABCDE-FGHJK --fingerprint 5f3a… --application-scope cad > machine-7.json',
    '<%= config.bin %> offline request --activation-code-file - --fingerprint 5f3a… --component MachineName=build-7 < code.txt',
  ]
  static override flags = {
    ...deviceFlags,
    out: string({ summary: 'The file to write; stdout without it.', helpValue: 'FILE' }),
    force: boolean({ summary: 'Replace a file that is there already.' }),
  }

  async run() {
    const { flags } = await this.parse(OfflineRequest)
    const { out } = flags
    await refuseFile(out, flags.force ?? false)
    const request = composeRequest(await readDevice(flags), Date.now(), `licet-cli/${version}`)
    const text = `${JSON.stringify(request, null, 2)}\n`
    if (out === undefined) {
      if (!this.jsonEnabled()) process.stdout.write(text)
      return request
    }
    await writeLicense(out, text)
    this.log(visible(`Wrote the request to ${out}.`))
    this.log(visible(`Next, where there is a network: licet offline issue ${shellWord(out)}`))
    return { file: out, ...request.meta }
  }
}
