import { envWords } from '../environments/choosing.ts'
import { planName } from '../plan-files/plan-place.ts'
import type { Patterns } from '../selection/patterns.ts'
import { shellWord } from '../shell-word.ts'
import type { Side } from '../sides/side.ts'
import type { Comparison } from '../tasks/compare.ts'
import { visible } from '../visible-text.ts'

/** The warnings of a comparison, each message once, with the first of its places. */
export function warningLines({ report, placeOf }: Pick<Comparison, 'report' | 'placeOf'>): string[] {
  return [...Map.groupBy(report.warnings, ({ message }) => message)].map(([message, [first, ...others]]) => {
    const { key, path } = first!
    const place = placeOf(key, path)
    const more = others.length === 0 ? '' : ` (${others.length + 1} places, this is the first)`
    // The path as well: a place in the files may be the next best for what only the environment has.
    const at = place
      ? [`${place.file}:${place.line}:${place.col}`, ...(path ? [path.slice(1)] : [])].join(': ')
      : `${key} ${path}`.trim()
    return visible(`${at}: ${message}${more}`)
  })
}

/**
 * The command that goes on from what a comparison shows; undefined when none could. `isDefault` says that the files are
 * those that commands take unless told otherwise, `selection` what --only and --exclude chose.
 */
export function nextStep(
  before: Side,
  after: Side,
  { isDefault, selection }: { isDefault: boolean; selection?: Patterns },
): string | undefined {
  if (before.kind === 'files') return undefined
  const { name } = before.environment
  if (after.kind === 'files') {
    if (after.path === '-') return undefined
    const directory = isDefault ? '' : ` ${shellWord(after.path)}`
    return `Next: licet catalog plan${directory}${envWords(name)}${selectionWords(selection)} --out ${planName(after.path)}`
  }
  if (name === null || after.environment.name === null) return undefined
  return `Next: licet catalog promote --from ${after.environment.name} --to ${name}${selectionWords(selection)}`
}

const selectionWords = ({ only, exclude }: Patterns = { only: [], exclude: [] }) =>
  [
    ...only.map((pattern) => ` --only ${shellWord(pattern)}`),
    ...exclude.map((pattern) => ` --exclude ${shellWord(pattern)}`),
  ].join('')
