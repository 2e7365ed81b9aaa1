import type { Side } from '../sides/side.ts'
import type { Comparison } from '../tasks/compare.ts'
import { visible } from '../visible-text.ts'

/** The warnings of a comparison, each with its place. */
export function warningLines({ report, placeOf }: Pick<Comparison, 'report' | 'placeOf'>): string[] {
  return report.warnings.map(({ key, path, message }) => {
    const place = placeOf(key, path)
    return visible(`${place ? `${place.file}:${place.line}:${place.col}` : `${key} ${path}`.trim()}: ${message}`)
  })
}

/** The command that would do what a comparison shows; undefined when none could. */
export function nextStep(before: Side, after: Side): string | undefined {
  if (before.kind === 'files') return undefined
  const { name } = before.environment
  if (after.kind === 'files') {
    if (after.path === '-') return undefined
    const directory = after.path === '.' ? '' : ` ${visible(after.path)}`
    return `Next: licet catalog import${directory}${name === null ? '' : ` --env ${name}`}`
  }
  if (name === null || after.environment.name === null) return undefined
  return `Next: licet catalog promote --from ${after.environment.name} --to ${name}`
}
