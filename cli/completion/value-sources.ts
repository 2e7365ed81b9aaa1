/** A command as its manifest describes it, as far as completing needs it. */
export interface CommandShape {
  summary?: string
  hidden?: boolean
  strict?: boolean
  args: Record<string, { description?: string; options?: readonly string[] }>
  flags: Record<string, FlagShape>
}

export interface FlagShape {
  char?: string
  type: 'boolean' | 'option'
  summary?: string
  description?: string
  options?: readonly string[]
  multiple?: boolean
  allowNo?: boolean
  hidden?: boolean
  helpValue?: string | readonly string[]
}

/** Where the values of a flag or argument come from. */
export type ValueSource =
  | 'environment'
  | 'side'
  | 'file'
  | 'directory'
  | 'key'
  | 'field'
  | 'kind'
  | 'scope'
  | 'none'
  | { options: readonly string[] }

/** Where the values of a flag come from, by its name and by what its help calls its value. */
export function flagSource(name: string, flag: FlagShape): ValueSource {
  if (flag.options) return { options: flag.options }
  const value = String(flag.helpValue ?? '')
  if (value === 'SIDE') return 'side'
  if (['env', 'confirm'].includes(name) || value === 'ENV') return 'environment'
  if (['only', 'exclude'].includes(name)) return 'key'
  if (name === 'scope') return 'scope'
  if (value === 'DIR') return 'directory'
  return /\b(?:FILE|PATH)\b/.test(value) || /(?:^|-)(?:file|out|import)$/.test(name) ? 'file' : 'none'
}

/** Where the values of an argument come from, by its command and name. */
export function argumentSource(id: string, name: string | undefined, command: CommandShape): ValueSource {
  if (name === undefined) return command.strict === false ? 'file' : 'none'
  const options = command.args[name]?.options
  if (options) return { options }
  if (id.startsWith('env:')) return id === 'env:add' ? 'none' : 'environment'
  if (id === 'catalog:explain') return 'field'
  if (name === 'kind') return 'kind'
  return /^(?:directory|dir|file|files|plan|path)$/.test(name) && id !== 'api' ? 'file' : 'none'
}
