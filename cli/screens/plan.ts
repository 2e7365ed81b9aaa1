import { counted } from '../counting.ts'
import { confirmWords } from '../environments/choosing.ts'
import type { PlanFile } from '../plan-files/plan-file.ts'
import { guardsNeeded } from '../prompts/guarding.ts'
import { shellWord } from '../shell-word.ts'
import { visible } from '../visible-text.ts'

/** Where a plan comes from and what it is told by, as lines below its picture. */
export function originLines({ digest, git, files, promotedFrom }: PlanFile): string[] {
  const names = Object.keys(files)
  const revision = git && `git ${git.revision}${git.dirty ? ' with changes that are not committed' : ''}`
  const from = promotedFrom
    ? `promoted from ${promotedFrom.environment ?? `tenant ${promotedFrom.tenantId}`}`
    : [counted(names.length, 'file'), revision].filter(Boolean).join(', ')
  return [`From: ${from}`, `Plan: ${digest}`].map((line) => visible(line))
}

/** What was written, and the command that applies it with the words that it will ask for. */
export function applyHint(
  plan: PlanFile,
  path: string,
  environment: { name: string | null; protected: boolean },
): string[] {
  const wrote = `Wrote ${path} (${plan.digest.slice(0, 'sha256:'.length + 12)}).`
  if (plan.items.length === 0) return [visible(wrote)]
  const words = [
    `licet catalog apply ${shellWord(path)}${confirmWords(environment)}`,
    ...guardsNeeded(environment, plan),
  ]
  return [wrote, `Next: ${words.join(' ')}`].map((line) => visible(line))
}
