import { commands } from './commands/index.ts'
import { dispatch } from './dispatch.ts'
import { endWith } from './ending.ts'
import { readGlobalSwitches, wantsJson } from './global-switches.ts'
import { withoutSecrets } from './held-secrets.ts'
import { nearest } from './nearest.ts'
import { Problem } from './problems.ts'

/**
 * Runs what the arguments ask for; never rejects, and leaves the exit code in `process.exitCode`. An error that nobody catches
 * ends the process.
 */
export async function start(argv: string[]) {
  // Node would print the line, which in the bundle is a chunk's whole text.
  process.on('uncaughtException', (error) => {
    void endWith(error)
      .catch(() => process.stderr.write(`${withoutSecrets(String(error?.stack ?? error))}\n`))
      .finally(() => process.exit())
  })
  try {
    await obey(readGlobalSwitches(argv, process.env))
  } catch (error) {
    await endWith(error)
  }
}

async function obey(argv: string[]) {
  const asked = dispatch(argv, Object.keys(commands))
  if (asked.kind === 'unknown') throw unknownCommand(asked)
  if (asked.kind === 'flags-first') throw flagsFirst(asked)
  if (asked.kind === 'topic' && wantsJson()) throw incompleteCommand(asked.subject)
  if (asked.kind === 'help' || asked.kind === 'topic') {
    const { showHelp } = await import('./command-help.ts')
    return showHelp(asked.subject)
  }
  const [{ oclifConfig }, { default: Command }] = await Promise.all([
    import('./oclif-config.ts'),
    commands[asked.id]!(),
  ])
  Command.id = asked.id
  await Command.run(asked.argv, await oclifConfig())
}

/** A command as it is typed. */
const spelled = (id: string) => `licet ${id.replaceAll(':', ' ')}`

/** Help is no document: a program that asks for one is told what is missing. */
const incompleteCommand = (topic: string | null) =>
  topic === null
    ? new Problem('cli.usage', 'licet needs a command.', { hint: 'licet --help' })
    : new Problem('cli.usage', `${spelled(topic)} needs one of its commands.`, { hint: `${spelled(topic)} --help` })

/** Help would look as if the command had been done: to a pipeline, for ever. */
const flagsFirst = ({ topic, command }: { topic: string; command: string | null }) =>
  new Problem('cli.usage', `${spelled(topic)} needs one of its commands before any flag.`, {
    hint: command ? `${spelled(command)}, and the flags behind it` : `${spelled(topic)} --help`,
  })

function unknownCommand({ typed, topic, suggestions }: { typed: string; topic: string | null; suggestions: string[] }) {
  if (typed.startsWith('-')) {
    return new Problem('cli.usage', `Unknown flag ${typed.split('=')[0]}; a command comes first.`, {
      hint: `licet ${nearest(typed, ['--version'])[0] ?? '--help'}`,
    })
  }
  const meant = suggestions.map(spelled).join(' or ')
  const help = topic ? `${spelled(topic)} --help` : 'licet --help'
  const message = `There is no command "${typed}".${meant ? ` Did you mean ${meant}?` : ''}`
  return new Problem('cli.usage', message, { hint: help })
}
