import { stripVTControlCharacters } from 'node:util'
import type { Command } from '@oclif/core/command'
import type { ParserOutput } from '@oclif/core/interfaces'
import { counted } from './counting.ts'
import { nearest } from './nearest.ts'
import { Problem } from './problems.ts'

/**
 * What is wrong with a command line, as a usage problem. Words that no flag or argument asked for are counted, never
 * repeated: one of them may be a secret that somebody typed.
 */
export function usageProblem(error: unknown, command: Command.Class): unknown {
  if (error instanceof Problem) {
    error.message = error.message.replace(ofFlag, '$2')
    return error
  }
  if (!(error instanceof Error) || !('oclif' in error)) return error
  const name = `licet ${String(command.id).replaceAll(':', ' ')}`
  const help = `${name} --help`
  if ('flags' in error && Array.isArray(error.flags)) return unknownFlag(error.flags.map(String), command, help)
  if (error.constructor.name === 'UnexpectedArgsError' && 'args' in error && Array.isArray(error.args)) {
    const takes = Object.keys(command.args).map((argument) => argument.toUpperCase())
    const count = error.args.length === 1 ? 'One argument' : `${error.args.length} arguments`
    return new Problem('cli.usage', `${count} too many: ${name} takes ${takes.join(' ') || 'none'}.`, { hint: help })
  }
  if (error.constructor.name === 'RequiredArgsError' && 'args' in error && Array.isArray(error.args)) {
    const missing = error.args.map(({ name }: { name: string }) => name.toUpperCase())
    const count = counted(missing.length, 'required argument')
    return new Problem('cli.usage', `Missing ${count}: ${missing.join(', ')}.`, { hint: help })
  }
  const text = stripVTControlCharacters(error.message)
    .replace(ofFlag, '$1: $2')
    .replace(/\n?See more help with --help/, '')
    // No flag of ours takes more than one value at a time.
    .replace(/\n+Note: .* multiple values\. Because of this [\s\S]*/, '')
    .replace(/\b(Missing required flag) (?=\w)/g, '$1 --')
  const lines = text.replace(/^The following errors? occurred:\s*/, '').split('\n')
  return new Problem(
    'cli.usage',
    lines
      .map((line) => line.trim())
      .filter(Boolean)
      .join('; '),
    { hint: help },
  )
}

/** Raises cli.usage for a switch that is given a value, which would be taken for an argument. */
export function refuseSwitchValues(argv: readonly string[], command: Command.Class): void {
  const end = argv.indexOf('--')
  for (const word of end === -1 ? argv : argv.slice(0, end)) {
    const flag = /^--([^=]+)=/.exec(word)?.[1]
    if (flag === undefined || { ...command.baseFlags, ...command.flags }[flag]?.type !== 'boolean') continue
    throw new Problem('cli.usage', `--${flag} takes no value.`, { hint: `--${flag} alone, or leave it out` })
  }
}

/** Raises cli.usage for a flag or an argument that is blank: what it would narrow or choose is not left open without a word. */
export function refuseBlanks(raw: ParserOutput['raw']): void {
  const blank = raw.find(({ input }) => input?.trim() === '')
  if (blank === undefined) return
  const [name, what] = blank.type === 'flag' ? [`--${blank.flag}`, 'flag'] : [blank.arg?.toUpperCase(), 'argument']
  throw new Problem('cli.usage', `${name ?? 'An argument'} is empty.`, {
    hint: `a value, or no such ${what}; a variable that stands for it may not be set`,
  })
}

/** What oclif makes of a message that says what is wrong with a flag. */
const ofFlag = /^Parsing (--\S+) \n\t(.*)\nSee more help with --help$/s

function unknownFlag(flags: string[], command: Command.Class, help: string): Problem {
  const names = flags.map((flag) => flag.split('=')[0] ?? flag)
  const known = Object.keys({ ...command.baseFlags, ...command.flags }).map((flag) => `--${flag}`)
  const message = `Unknown flag${names.length === 1 ? '' : 's'} ${names.join(', ')}.`
  const secretFile = known.find((flag) => flag.endsWith('-secret-file'))
  if (secretFile && names.some((flag) => /secret|password|token/.test(flag))) {
    return new Problem('cli.usage', `${message} A secret never goes on a command line.`, {
      hint: `${secretFile} FILE, or "${secretFile} -" to read it from stdin`,
    })
  }
  const meant = names.flatMap((flag) => meantBy(flag, known))
  return new Problem('cli.usage', message, { hint: meant.length > 0 ? `${meant.join(' or ')} (${help})` : help })
}

/** The flags that are spelt nearly so; where none is, those that are cut short in it, or of which it is the beginning. */
function meantBy(typed: string, known: string[]): string[] {
  const alike = nearest(typed, known)
  if (alike.length > 0 || typed.length < 5) return alike
  return known.filter((flag) => flag.startsWith(typed) || (flag.length > 4 && typed.startsWith(flag))).slice(0, 3)
}
