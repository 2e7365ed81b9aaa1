import { readFile } from 'node:fs/promises'
import { topics } from '../commands/index.ts'
import { visible } from '../visible-text.ts'
import { type Candidate, complete } from './completing.ts'
import { bashInsertion } from './quoting.ts'
import { readTypedLine, type TypedLine } from './typed-line.ts'
import type { CommandShape } from './value-sources.ts'
import { listValues } from './values.ts'

/**
 * Answers a completion script: a line that says whether paths may stand there (`files`, `directories`, `none`), then a
 * line for each candidate. For bash (`bash LINE WORDBREAKS`) that is the text to insert, quoted for where it is put; for
 * zsh and fish (`zsh WORD…`), which quote by themselves, the value, a tab and what it is. Never fails, never says why not.
 */
export async function answerCompletion([shell, ...rest]: readonly string[]): Promise<string> {
  try {
    const given = rest[0] === '--' ? rest.slice(1) : rest
    const line: TypedLine =
      shell === 'bash'
        ? readTypedLine(given[0] ?? '', given[1] ?? '')
        : { words: ['licet', ...given.slice(0, -1)], current: given.at(-1) ?? '', quote: '', kept: 0 }
    const commands: Record<string, CommandShape> = JSON.parse(
      await readFile(new URL('../cli/commands.json', import.meta.url), 'utf8'),
    )
    const { paths, candidates } = await complete({ commands, topics }, line.words.slice(1), line.current, listValues)
    const sound = candidates.filter(({ value }) => value === visible(value) && value !== '')
    const text = shell === 'bash' ? ({ value }: Candidate) => bashInsertion(value, line) : described
    return [paths, ...new Set(sound.map(text))].map((each) => `${each}\n`).join('')
  } catch {
    return 'none\n'
  }
}

function described({ value, description = '' }: Candidate): string {
  const first = visible(description.split(/(?<=\.) /)[0]!.replace(/\.$/, ''))
  return first === '' ? value : `${value}\t${first.length > 80 ? `${first.slice(0, 79)}…` : first}`
}
