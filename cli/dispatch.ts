import { isGlobalSwitch } from './global-switches.ts'
import { nearest } from './nearest.ts'

/**
 * What the words on the command line ask for: a command's run, help on something, one of a topic's commands (or of all),
 * that command behind flags that belong behind it, or nothing that exists.
 */
export type Dispatch =
  | { kind: 'run'; id: string; argv: string[] }
  | { kind: 'help'; subject: string | null }
  | { kind: 'topic'; subject: string | null }
  | { kind: 'flags-first'; topic: string; command: string | null }
  | { kind: 'unknown'; typed: string; topic: string | null; suggestions: string[] }

/** Finds the command with the longest name that the leading words spell (`env add` is `env:add`); the rest is its own. */
export function dispatch(argv: string[], ids: readonly string[]): Dispatch {
  const asked = argv[0] === 'help'
  const rest = asked ? argv.slice(1) : argv
  const end = rest.indexOf('--')
  const help = asked || (end === -1 ? rest : rest.slice(0, end)).some((word) => word === '--help' || word === '-h')
  const words = leadingWords(rest)
  const naming = words.slice(0, mostWords(ids))

  for (let count = naming.length; count > 0; count--) {
    const id = words.slice(0, count).join(':')
    if (ids.includes(id)) return help ? { kind: 'help', subject: id } : { kind: 'run', id, argv: rest.slice(count) }
  }
  const isTopic = (name: string) => ids.some((id) => id.startsWith(`${name}:`))
  const subject = words.join(':')
  if (words.length === 0 && (help || rest.length === 0)) return { kind: 'help', subject: null }
  const behind = rest.slice(words.length)
  if (words.length === 0 && behind.every(isGlobalSwitch)) return { kind: 'topic', subject: null }
  if (words.length > 0 && isTopic(subject)) {
    if (help || behind.every(isGlobalSwitch)) return { kind: help ? 'help' : 'topic', subject }
    const command = behind.map((word) => `${subject}:${word}`).find((id) => ids.includes(id)) ?? null
    return { kind: 'flags-first', topic: subject, command }
  }

  const topic = naming.map((_, index) => naming.slice(0, naming.length - index).join(':')).find(isTopic) ?? null
  return { kind: 'unknown', typed: words.join(' ') || (rest[0] ?? ''), topic, suggestions: suggest(naming, ids) }
}

/** Of how many words the longest name of a command consists. */
const mostWords = (ids: readonly string[]): number => Math.max(0, ...ids.map((id) => id.split(':').length))

function leadingWords(argv: string[]): string[] {
  const flag = argv.findIndex((word) => word.startsWith('-'))
  return flag === -1 ? argv : argv.slice(0, flag)
}

function suggest(words: string[], ids: readonly string[]): string[] {
  const names = new Set(
    ids.flatMap((id) => [id, ...id.split(':').map((_, at, parts) => parts.slice(0, at + 1).join(':'))]),
  )
  const spelled = [...[...names].map((id) => id.replaceAll(':', ' ')), '--version']
  for (let count = words.length; count > 0; count--) {
    const found = nearest(words.slice(0, count).join(' '), spelled)
    if (found.length > 0) return found
  }
  return []
}
