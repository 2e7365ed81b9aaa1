import { string } from '@oclif/core/flags'

const pattern = {
  multiple: true,
  multipleNonGreedy: true,
  helpValue: 'KIND:GLOB',
} as const

/** `--only` and `--exclude`, for every command that compares a catalog with an environment. */
export const selectionFlags = {
  only: string({
    ...pattern,
    summary: 'Only these items, with what they need; repeatable.',
    description:
      'A pattern on keys, such as product:ACME-CAD@2.0, feature:ACME-CAD@2.0/* or *:*Beta*; letter case counts, but in tags. What the items need comes along, and is shown: what the environment lacks, or must have otherwise for them to be accepted.',
  }),
  exclude: string({ ...pattern, summary: 'All but these items; repeatable, and after --only.' }),
}
