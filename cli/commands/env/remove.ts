import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { unknownEnvironment } from '../../environments/choosing.ts'
import { changeUserEnvironments } from '../../environments/user-file.ts'

export default class EnvRemove extends LicetCommand {
  static override summary = 'Forget an environment and its secret.'
  static override description =
    'Only your own settings change; the client on the server stays, and so does what licet.yaml says.'
  static override examples = ['<%= config.bin %> env remove staging']
  static override args = { name: text({ required: true, description: 'The environment.' }) }

  async run() {
    const { args } = await this.parse(EnvRemove)
    let wasInUse = false
    const { current } = await changeUserEnvironments((held) => {
      if (!Object.hasOwn(held.environments, args.name))
        throw unknownEnvironment(args.name, Object.keys(held.environments))
      delete held.environments[args.name]
      wasInUse = held.current === args.name
      if (wasInUse) held.current = null
    })
    this.log(`Removed ${args.name}.${wasInUse ? ' No environment is in use now.' : ''}`)
    return { removed: args.name, current }
  }
}
