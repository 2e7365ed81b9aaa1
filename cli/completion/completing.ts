import { argumentSource, type CommandShape, flagSource, type ValueSource } from './value-sources.ts'

export interface Candidate {
  value: string
  description?: string
}

/** What can stand at the cursor: words, and whether files or directories may stand there too. */
export interface Completion {
  paths: 'files' | 'directories' | 'none'
  candidates: Candidate[]
}

/** The values of a source that begin like what is typed; `positional` are the arguments given before. */
export type ListValues = (source: ValueSource, typed: string, positional: readonly string[]) => Promise<Candidate[]>

export interface Surface {
  commands: Record<string, CommandShape>
  topics: Record<string, string>
}

const globalFlags: Candidate[] = [
  { value: '--help', description: 'Show help.' },
  { value: '--version', description: 'Show the version.' },
]

/** What can follow the words of a licet command line at `current`. */
export async function complete(
  surface: Surface,
  words: readonly string[],
  current: string,
  listValues: ListValues,
): Promise<Completion> {
  const typed = words.filter((word, at) => !(isSwitch(word) && words.slice(0, at).every(isSwitch)))
  const named = typed[0] === 'help' ? typed.slice(1) : typed
  const { id, count } = commandIn(surface, named)
  const nextWords = named.length === count || id === undefined ? commandWords(surface, named) : []
  const command = id === undefined ? undefined : surface.commands[id]
  if (id === undefined || command === undefined || typed[0] === 'help') {
    const first =
      named.length === 0 && typed[0] !== 'help' ? [{ value: 'help', description: 'Show help on a command.' }] : []
    const words = current.startsWith('-') ? [...globalFlags, ...anywhere(surface)] : [...nextWords, ...first]
    return { paths: 'none', candidates: beginning(words, current) }
  }
  const state = walk(command, named.slice(count))
  const valuesFrom = async (source: ValueSource, text: string, before = '') => {
    const found = beginning(await listValues(source, text, state.positional), text)
    const paths = source === 'file' ? 'files' : source === 'directory' ? 'directories' : 'none'
    return { paths, candidates: found.map((one) => ({ ...one, value: before + one.value })) } as const
  }
  if (state.pending !== undefined) return valuesFrom(flagSource(state.pending, command.flags[state.pending]!), current)
  const assigned = state.isOver ? null : /^--([\w-]+)=(.*)$/s.exec(current)
  const flag = assigned ? command.flags[assigned[1]!] : undefined
  if (assigned && flag?.type === 'option')
    return valuesFrom(flagSource(assigned[1]!, flag), assigned[2]!, `--${assigned[1]}=`)
  if (current.startsWith('-') && !state.isOver)
    return { paths: 'none', candidates: flagsOf(command, state.used, current) }
  const name = Object.keys(command.args)[state.positional.length]
  const values = await valuesFrom(argumentSource(id, name, command), current)
  const all = [...beginning(nextWords, current), ...values.candidates]
  const isAtEnd = all.length === 0 && values.paths === 'none' && current === '' && !state.isOver
  return { paths: values.paths, candidates: isAtEnd ? flagsOf(command, state.used, '') : all }
}

const isSwitch = (word: string) => ['--json', '--no-color', '--no-input'].includes(word)
const beginning = (candidates: readonly Candidate[], typed: string) =>
  candidates.filter(({ value }) => value.startsWith(typed))

/** The command with the longest name that the leading words spell. */
function commandIn({ commands }: Surface, words: readonly string[]): { id: string | undefined; count: number } {
  for (let count = words.length; count > 0; count--) {
    const id = words.slice(0, count).join(':')
    if (Object.hasOwn(commands, id)) return { id, count }
  }
  return { id: undefined, count: 0 }
}

/** The words that lead on to commands from those that were typed. */
function commandWords({ commands, topics }: Surface, words: readonly string[]): Candidate[] {
  const prefix = words.map((word) => `${word}:`).join('')
  const found = new Map<string, string | undefined>()
  for (const [id, { hidden, summary }] of Object.entries(commands)) {
    if (hidden || !id.startsWith(prefix) || id.length === prefix.length) continue
    const word = id.slice(prefix.length).split(':')[0]!
    const isLast = prefix + word === id
    if (isLast || !found.has(word)) found.set(word, isLast ? summary : topics[(prefix + word).replaceAll(':', ' ')])
  }
  return [...found].map(([value, description]) => ({ value, ...(description && { description }) }))
}

/** The flags that every command takes. */
function anywhere({ commands }: Surface): Candidate[] {
  const flags = Object.values(commands)[0]?.flags ?? {}
  return Object.entries(flags)
    .filter(([name]) => isSwitch(`--${name}`))
    .map(([name, { summary }]) => ({ value: `--${name}`, ...(summary && { description: summary }) }))
}

/** What the words behind a command are: flags given, arguments, a flag that waits for its value, and whether "--" came. */
function walk({ flags }: CommandShape, words: readonly string[]) {
  const used = new Set<string>()
  const positional: string[] = []
  let pending: string | undefined
  let isOver = false
  for (const word of words) {
    if (pending !== undefined) pending = undefined
    else if (isOver || !word.startsWith('-') || word === '-') positional.push(word)
    else if (word === '--') isOver = true
    else {
      const [spelled = '', value] = word.split('=', 2)
      const name = Object.keys(flags).find((each) => `--${each}` === spelled || `-${flags[each]!.char}` === spelled)
      if (name === undefined) continue
      used.add(name)
      if (flags[name]!.type === 'option' && value === undefined) pending = name
    }
  }
  return { used, positional, pending, isOver }
}

/** The flags that may still be given; short ones only for a single dash. */
function flagsOf({ flags }: CommandShape, used: ReadonlySet<string>, typed: string): Candidate[] {
  const open = Object.entries(flags).filter(([name, flag]) => !flag.hidden && (flag.multiple || !used.has(name)))
  const offered = open.flatMap(([name, { allowNo, char, summary, description = summary }]) =>
    [`--${name}`, ...(allowNo ? [`--no-${name}`] : []), ...(char && typed === '-' ? [`-${char}`] : [])].map(
      (value) => ({
        value,
        ...((summary ?? description) && { description: summary ?? description }),
      }),
    ),
  )
  return beginning([...offered, { value: '--help', description: 'Show help.' }], typed)
}
