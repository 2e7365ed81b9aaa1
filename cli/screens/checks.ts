import type { Paint } from '../colour.ts'
import type { Check } from '../tasks/doctor/check.ts'
import { visible } from '../visible-text.ts'

/** What was found, a line for each look, and below it what to do where something is to do. */
export function checkLines(checks: readonly Check[], colours: Paint): string[] {
  const column = Math.max(...checks.map(({ name }) => name.length))
  const painted = { ok: colours.green, missing: colours.yellow, problem: colours.red }
  return checks.flatMap(({ name, status, detail, next }) => {
    const word = painted[status](status.padEnd('problem'.length))
    const head = `${word}  ${visible(name).padEnd(column)}  ${visible(detail)}`
    return next === null ? [head] : [head, `${' '.repeat('problem'.length + column + 4)}→ ${visible(next)}`]
  })
}
