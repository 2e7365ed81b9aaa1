import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { unknownEnvironment } from '../../environments/choosing.ts'
import { changeUserEnvironments } from '../../environments/user-file.ts'
import { findProjectFile } from '../../project-file.ts'

export default class EnvUse extends LicetCommand {
  static override summary = 'Choose the environment that commands use when none is named.'
  static override description =
    'A project whose licet.yaml names an environment, LICET_ENV, LICET_URL and --env all go before it.'
  static override examples = ['<%= config.bin %> env use staging']
  static override args = { name: text({ required: true, description: 'The environment.' }) }

  async run() {
    const { args } = await this.parse(EnvUse)
    const project = await findProjectFile()
    await changeUserEnvironments((held) => {
      const known = [...Object.keys(held.environments), ...Object.keys(project?.environments ?? {})]
      if (!known.includes(args.name)) throw unknownEnvironment(args.name, known)
      held.current = args.name
    })
    if (project?.environment && project.environment !== args.name) {
      this.warn(`Inside this project ${project.path} names "${project.environment}", which goes before it.`)
    }
    this.log(`Using ${args.name}.`)
    return { current: args.name }
  }
}
