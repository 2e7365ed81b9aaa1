import { readFile } from 'node:fs/promises'
import type { Command } from '@oclif/core/command'
import { Help } from '@oclif/core/help'
import { commands } from './commands/index.ts'
import { oclifConfig } from './oclif-config.ts'

/** Prints help on a command or topic (its id), or on all of licet (null). */
export async function showHelp(subject: string | null) {
  const file = new URL('../cli/commands.json', import.meta.url)
  const manifest: Record<string, Command.Cached> = JSON.parse(await readFile(file, 'utf8'))
  const loadable = Object.entries(manifest).map(([id, described]) => ({
    ...described,
    load: async () => (await commands[id]!()).default,
  }))
  const help = new Help(await oclifConfig(loadable), {})
  await help.showHelp(subject === null ? [] : [subject])
}
