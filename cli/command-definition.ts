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
