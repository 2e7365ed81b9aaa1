import { byName } from '../member-names.ts'
import { foldTagName } from '../tag-names.ts'
import { type Form, type FormSchema, sameValue } from './form.ts'

/** A scalar, or a list that is one value: replaced whole. */
export function plainForm(schema: FormSchema, canonical?: (value: unknown) => unknown): Form {
  const empty = schema.default === undefined ? null : schema.default
  const isList = Array.isArray(empty)
  return {
    isNoticing: false,
    ...(canonical || isList ? {} : { scalar: { empty } }),
    merge(before, given) {
      if (given === undefined && before !== undefined) return before
      if (given === undefined || given === null) return isList ? [...empty] : empty
      const after = canonical ? canonical(given) : given
      return before !== undefined && sameValue(before, after) ? before : after
    },
    changes(before, after, path, report) {
      if (before !== after && !sameValue(before, after)) report({ path, before, after })
    },
  }
}

/** Tag names once each (the first casing stands), in order. */
export function canonicalTags(value: unknown): unknown {
  const names = value as readonly string[]
  if (names.length < 2) return names
  const first = new Map<string, string>()
  for (const name of names) if (!first.has(foldTagName(name))) first.set(foldTagName(name), name)
  return [...first.values()].sort(byName)
}
