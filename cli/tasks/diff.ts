import { environmentName } from '../environments/choosing.ts'
import type { ShownFinding } from '../findings.ts'
import { inputName } from '../input-files.ts'
import { Problem } from '../problems.ts'
import type { Side } from '../sides/side.ts'
import { type CompareOptions, type Comparison, compareSides } from './compare.ts'
import { refusalOf } from './report-errors.ts'

/** What holding two catalogs against each other came to: a comparison, or why the after side cannot be imported, or both. */
export interface DiffOutcome {
  comparison: Comparison | undefined
  /** Its errors are findings, each at its line where there is one. */
  refusal: Problem | undefined
}

/** Compares two sides; a catalog that is unsound, or that would be refused, is an outcome. Raises whatever else goes wrong. */
export async function diffSides(before: Side, after: Side, options: CompareOptions): Promise<DiffOutcome> {
  try {
    const comparison = await compareSides(before, after, options)
    return { comparison, refusal: refusalOf(comparison) }
  } catch (error) {
    if (error instanceof Problem && error.codeName === 'cli.catalog') return { comparison: undefined, refusal: error }
    throw error
  }
}

/** The findings of a refusal. */
export const findingsOf = (refusal: Problem): ShownFinding[] =>
  (refusal.details.errors ?? []).filter((error): error is ShownFinding => {
    return typeof error === 'object' && error !== null && 'severity' in error && 'message' in error
  })

/** What a side is called in messages. */
export function sideName(side: Side): string {
  if (side.kind === 'environment') return environmentName(side.environment)
  return inputName(side.path)
}

/** What tells one target of comparisons from another, the same on every run: its name, else the URL without its scheme. */
export function targetName(side: Side): string {
  if (side.kind === 'files' || side.environment.name !== null) return sideName(side)
  const { host, pathname } = new URL(side.environment.url)
  return `${host}${pathname}`
}
