import { fileURLToPath } from 'node:url'
import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import type { Plugin } from '@oclif/core/interfaces'
import pjson from '../package.json' with { type: 'json' }
import { topics } from './commands/index.ts'

/** oclif's configuration, made from what is known at build time: nothing is looked for on disk, and no command is loaded. */
export async function oclifConfig(commands: Command.Loadable[] = []): Promise<Config> {
  const root = fileURLToPath(new URL('.', import.meta.url))
  const described = {
    name: pjson.name,
    version: pjson.version,
    description: pjson.description,
    oclif: { bin: 'licet', dirname: 'licet', topicSeparator: ' ' as const, additionalHelpFlags: ['-h'] },
  }
  const plugin: Plugin = {
    _base: '',
    alias: pjson.name,
    commandIDs: commands.map((command) => command.id),
    commands,
    commandsDir: undefined,
    findCommand: () => Promise.reject(new Error('commands are found by dispatch')),
    hasManifest: true,
    hooks: {},
    isRoot: true,
    load: () => Promise.resolve(),
    moduleType: 'module',
    name: pjson.name,
    options: { root },
    pjson: described,
    root,
    topics: Object.entries(topics).map(([name, description]) => ({ name, description })),
    type: 'core',
    valid: true,
    version: pjson.version,
  }
  return Config.load({ root, plugins: new Map([[plugin.name, plugin]]) })
}
