import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { unknownEnvironment } from '../../environments/choosing.ts'
import { readUserEnvironments, writeUserEnvironments } from '../../environments/user-file.ts'

export default class EnvRemove extends LicetCommand {
  static override summary = 'Forget an environment and its secret.'
  static override description =
    'Only your own settings change; the client on the server stays, and so does what licet.yaml says.'
  static override examples = ['<%= config.bin %> env remove staging']
  static override args = { name: text({ required: true, description: 'The environment.' }) }

  async run() {
    const { args } = await this.parse(EnvRemove)
    const { current, environments } = await readUserEnvironments()
    if (!Object.hasOwn(environments, args.name)) throw unknownEnvironment(args.name, Object.keys(environments))
    const kept = Object.fromEntries(Object.entries(environments).filter(([name]) => name !== args.name))
    await writeUserEnvironments({ current: current === args.name ? null : current, environments: kept })
    this.log(`Removed ${args.name}.${current === args.name ? ' No environment is in use now.' : ''}`)
    return { removed: args.name, current: current === args.name ? null : current }
  }
}
