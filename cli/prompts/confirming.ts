import { Problem } from '../problems.ts'
import { visible } from '../visible-text.ts'
import { askLine, askYes } from './asking.ts'

export interface Confirmation {
  /** What is about to happen, as a question. */
  question: string
  environment: { name: string | null; protected: boolean }
  /** The flags --yes and --confirm. */
  yes?: boolean
  confirm?: string | undefined
}

/**
 * Returns when the change may go ahead. A protected environment is confirmed by its name (--confirm NAME, or typed) and
 * not by --yes, any other by --yes or an answer. Raises cli.answer_needed when nobody can be asked, cli.failed when the answer is no.
 */
export async function confirmChange({ question, environment, yes, confirm }: Confirmation): Promise<void> {
  const { name } = environment
  if (environment.protected && name !== null) {
    const flag = `--confirm ${name}`
    if (yes && confirm === undefined)
      throw new Problem(
        'cli.answer_needed',
        `"${name}" is protected, where --yes is not enough; nothing was changed.`,
        {
          hint: flag,
        },
      )
    const given = confirm ?? (await askLine(`${question} "${name}" is protected; type its name:`, flag))
    if (given === name) return
    throw new Problem(
      'cli.failed',
      `"${visible(given)}" is not the name of the protected environment; nothing was changed.`,
      { hint: flag },
    )
  }
  if (yes || (confirm !== undefined && confirm === name) || (await askYes(question, '--yes'))) return
  throw new Problem('cli.failed', 'The answer was no; nothing was changed.')
}
