import { appendFile, stat } from 'node:fs/promises'
import { systemRefusal } from '../ending.ts'
import { Problem } from '../problems.ts'

/** The most bytes that GitHub shows as the summary of one step; a larger file is not shown at all. */
const mostBytes = 1024 * 1024

/** The file that GitHub Actions reads the summary of a step from. Raises cli.output outside of a workflow. */
export function findJobSummary(): string {
  const { GITHUB_STEP_SUMMARY: path } = process.env
  if (path) return path
  throw new Problem('cli.output', '--summary writes to the file that GITHUB_STEP_SUMMARY names, and that is not set.', {
    hint: 'GitHub Actions sets it for every step; elsewhere use --format markdown',
  })
}

/** Adds markdown to the summary of a step, below what is there. Raises cli.output. */
export async function appendJobSummary(path: string, markdown: string): Promise<void> {
  try {
    const found = await stat(path).catch(() => undefined)
    const size = found?.isFile() ? found.size : 0
    const added = `${size > 0 ? '\n' : ''}${markdown}`
    if (size + Buffer.byteLength(added) > mostBytes) {
      throw new Problem(
        'cli.output',
        `The job summary holds ${size} bytes already; GitHub shows none over ${mostBytes} (1 MiB).`,
        {
          hint: 'write this one in a step of its own',
        },
      )
    }
    await appendFile(path, added)
  } catch (cause) {
    if (cause instanceof Problem || !(cause instanceof Error && 'code' in cause)) throw cause
    throw new Problem('cli.output', `Cannot write the job summary ${path}: ${systemRefusal(String(cause.code))}.`, {
      cause,
    })
  }
}
