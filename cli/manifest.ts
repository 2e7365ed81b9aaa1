import type { Command } from '@oclif/core/command'
import { completeDefinition } from './command-definition.ts'
import { commands } from './commands/index.ts'

/** What help needs to know of every command, as JSON values by command id: the build writes it down, so that help loads no command. */
export async function commandManifest(): Promise<Record<string, unknown>> {
  const entries = Object.entries(commands).map(
    async ([id, load]) => [id, describe(id, (await load()).default)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

function describe(id: string, command: Command.Class) {
  completeDefinition(command)
  const { summary, description, examples, usage, strict = true, hidden = false } = command
  const flags = { ...command.flags, ...command.baseFlags }
  return {
    id,
    summary,
    description,
    examples,
    usage,
    strict,
    hidden,
    aliases: [],
    hiddenAliases: [],
    args: Object.fromEntries(Object.entries(command.args).map(([name, argument]) => [name, { ...argument, name }])),
    flags: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, name }])),
  }
}
