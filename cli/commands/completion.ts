import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../base-command.ts'
import { completionScripts, installations, type Shell, shells } from '../completion/scripts.ts'

export default class Completion extends LicetCommand {
  static override summary = 'Print the script that teaches a shell to complete licet.'
  static override description =
    `Commands, every flag, and what the flags take: environments, kinds and fields, and the keys of the catalog at hand. Nothing is asked of a server. To install it once:

${shells.map((shell) => `  ${installations[shell]}`).join('\n')}

A new shell then completes; after an upgrade of licet nothing need be done. Works where "licet" itself can be called (npm install --global, or a directory node_modules/.bin on the PATH).`
  static override examples = [
    '<%= config.bin %> completion zsh',
    { description: 'For this shell alone', command: 'source <(<%= config.bin %> completion bash)' },
  ]
  static override args = {
    shell: text({ required: true, options: [...shells], description: `Which shell: ${shells.join(', ')}.` }),
  }

  async run() {
    const { args } = await this.parse(Completion)
    const shell = args.shell as Shell
    const script = completionScripts[shell]
    if (!this.jsonEnabled()) process.stdout.write(script)
    return { shell, script, install: installations[shell] }
  }
}
