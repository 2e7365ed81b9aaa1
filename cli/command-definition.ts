import type { Command } from '@oclif/core/command'

/**
 * Completes what a command class declares, by rule: every flag has a `LICET_…` variable of its own name (a flag may name
 * another), and no argument is ever filled from a pipe behind the reader's back.
 */
export function completeDefinition(command: Command.Class) {
  for (const [name, flag] of Object.entries({ ...command.baseFlags, ...command.flags })) {
    flag.env ??= `LICET_${name.toUpperCase().replaceAll('-', '_')}`
  }
  for (const argument of Object.values(command.args)) argument.ignoreStdin = true
}

/** The flags with each repeatable one as a list: its variable is one text, with a value on each line. A command may declare none. */
export const withLists = <Flags extends object>(flags: Flags, declared: Command.Class['flags'] | undefined): Flags => ({
  ...flags,
  ...Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]) =>
      isRepeatable(declared?.[name]) && typeof value === 'string' ? [[name, linesOf(value)]] : [],
    ),
  ),
})

const isRepeatable = (flag: Command.Class['flags'][string] | undefined) => flag?.type === 'option' && flag.multiple
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
