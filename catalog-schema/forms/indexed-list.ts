import { type Form, type FormOf, type FormSchema, sameValue } from './form.ts'

/** A list that is one value: replaced whole, compared index by index. */
export function indexedListForm(schema: FormSchema, formOf: FormOf): Form {
  const inner = formOf(schema.items!)
  return {
    isNoticing: inner.isNoticing,
    merge(before, given, place, notes) {
      if (given === undefined || given === null) return before === undefined ? [] : before
      const after = (given as unknown[]).map((entry, index) =>
        inner.merge(undefined, entry, { above: place, index }, notes),
      )
      return before !== undefined && sameValue(before, after) ? before : after
    },
    changes(before, after, path, report) {
      if (before === after) return
      const [old, now] = [before as unknown[], after as unknown[]]
      for (let index = 0; index < Math.max(old.length, now.length); index++) {
        const at = `${path}/${index}`
        if (index >= now.length) report({ path: at, before: old[index], after: null })
        else if (index >= old.length) report({ path: at, before: null, after: now[index] })
        else inner.changes(old[index], now[index], at, report)
      }
    },
  }
}
