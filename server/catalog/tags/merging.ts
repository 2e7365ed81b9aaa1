import type { FieldError } from '../../kit/problem.ts'

interface MergeableTag {
  id: string
  scope: string
  name: string
}

/** Why one tag cannot be merged into another; nothing when it can. */
export function explainMerge(source: MergeableTag, kept: MergeableTag): FieldError | undefined {
  if (source.id === kept.id) return { pointer: '/intoTagId', message: 'a tag is not merged into itself' }
  if (source.scope !== kept.scope)
    return {
      pointer: '/intoTagId',
      message: `"${source.name}" is a tag of ${source.scope}, "${kept.name}" one of ${kept.scope}: only tags of one scope are merged`,
    }
  return undefined
}

/** The records that gain the kept tag: each once, and none that has it. */
export function planMerge(carriers: { source: readonly string[]; kept: readonly string[] }): string[] {
  const already = new Set(carriers.kept)
  return [...new Set(carriers.source)].filter((recordId) => !already.has(recordId))
}
