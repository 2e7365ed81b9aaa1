import { byName, pathSegment } from '../member-names.ts'
import type { Fields, Form, FormOf, FormSchema } from './form.ts'

/** An object whose keys are names: merged by name, kept in the order of its names. */
export function mapForm(schema: FormSchema, formOf: FormOf): Form {
  const inner = formOf(schema.additionalProperties as FormSchema)
  return {
    isNoticing: true,
    merge(before, given, place, notes) {
      if (given === undefined || given === null) return before === undefined ? {} : before
      const stored = new Map(Object.entries((before as Fields | undefined) ?? {}))
      const wanted = Object.entries(given as Fields)
      const merged = new Map(stored)
      for (const name of stored.keys()) if (!Object.hasOwn(given, name)) notes.kept({ above: place, field: name })
      for (const [name, value] of wanted.sort(([a], [b]) => byName(a, b)))
        merged.set(name, inner.merge(stored.get(name), value, { above: place, field: name }, notes))
      if (
        before !== undefined &&
        merged.size === stored.size &&
        wanted.every(([name]) => merged.get(name) === stored.get(name))
      )
        return before
      return Object.fromEntries([...merged].sort(([a], [b]) => byName(a, b)))
    },
    changes(before, after, path, report) {
      if (before === after) return
      const [old, now] = [before as Fields, after as Fields]
      for (const [name, value] of Object.entries(old))
        if (!Object.hasOwn(now, name)) report({ path: `${path}/${pathSegment(name)}`, before: value, after: null })
      for (const [name, value] of Object.entries(now)) {
        const at = `${path}/${pathSegment(name)}`
        if (Object.hasOwn(old, name)) inner.changes(old[name], value, at, report)
        else report({ path: at, before: null, after: value })
      }
    },
  }
}
