import { LicetCommand } from '../base-command.ts'
import { paint } from '../colour.ts'
import { counted } from '../counting.ts'
import { exitCodes } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { checkLines } from '../screens/checks.ts'
import { examine } from '../tasks/doctor/doctor.ts'

export default class Doctor extends LicetCommand {
  static override summary = 'Say what is set up, what is not, and what to do next.'
  static override description =
    'Looks at Node, the project file, the catalog, the repository and its workflow, your own settings, and every environment that is known: whether it answers, accepts the client, is the tenant that is expected, what the client may do, and whether the clocks agree. Changes nothing, prints no secret, and ends within seconds when a server is away. "missing" is not set up and may well not be needed; only a "problem" makes the exit code 1.'
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --json']

  async run() {
    await this.parse(Doctor)
    const checks = await duringPhase('Looking', examine)
    const problems = checks.filter(({ status }) => status === 'problem').length
    for (const line of checkLines(checks, paint(process.stdout))) this.log(line)
    this.log()
    this.log(problems === 0 ? 'Nothing is wrong.' : `${counted(problems, 'problem')}.`)
    if (problems > 0) process.exitCode = exitCodes.failed
    return { ok: problems === 0, checks }
  }
}
