/** True when an environment variable is set to something that means yes. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'n', 'off'].includes(value.toLowerCase())
}

/** The flags that every command takes, and the variables that say the same. */
const switches = { '--json': 'LICET_JSON', '--no-color': 'LICET_NO_COLOR', '--no-input': 'LICET_NO_INPUT' } as const

/** Whether a word is one of these flags. */
export const isGlobalSwitch = (word: string): boolean => Object.hasOwn(switches, word)

/**
 * The arguments with the global flags that stand before the command moved behind it, and each global flag written down
 * in its environment variable, so that one place answers for both ways of saying it. Nothing after `--` is a flag.
 */
export function readGlobalSwitches(argv: string[], variables: NodeJS.ProcessEnv): string[] {
  const end = argv.indexOf('--')
  const flags = end === -1 ? argv : argv.slice(0, end)
  for (const [flag, variable] of Object.entries(switches)) if (flags.includes(flag)) variables[variable] = '1'
  const command = argv.findIndex((word) => !isGlobalSwitch(word))
  const leading = command === -1 ? argv : argv.slice(0, command)
  const rest = command === -1 ? [] : argv.slice(command)
  const restEnd = rest.indexOf('--')
  return restEnd === -1 ? [...rest, ...leading] : [...rest.slice(0, restEnd), ...leading, ...rest.slice(restEnd)]
}

/** Whether the answer is one JSON document on stdout. */
export function wantsJson(): boolean {
  return isOn(process.env.LICET_JSON)
}
