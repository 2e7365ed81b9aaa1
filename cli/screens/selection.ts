import type { Selection } from '../selection/selecting.ts'
import { visible } from '../visible-text.ts'

/** What --only and --exclude chose, and what came along for it, as lines above a comparison; none without a selection. */
export function selectionLines(selection: Selection | undefined): string[] {
  if (selection === undefined) return []
  const { only, exclude, alsoNeeded } = selection
  const chosen = [only.length > 0 && `only ${only.join(', ')}`, exclude.length > 0 && `without ${exclude.join(', ')}`]
  return [
    `Selected: ${chosen.filter(Boolean).join('; ')}`,
    ...alsoNeeded.map(({ key, neededBy }) => `  also needs ${key} (named by ${neededBy})`),
    '',
  ].map((line) => visible(line))
}
