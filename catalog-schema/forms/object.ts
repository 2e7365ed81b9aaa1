import { pathSegment } from '../member-names.ts'
import { type Fields, type Form, type FormOf, type FormSchema, sameValue } from './form.ts'

/** An object of named fields, merged and compared field by field. */
export function objectForm(schema: FormSchema, formOf: FormOf): Form {
  const fields = Object.entries(schema.properties!).map(([name, inner]) => ({
    name,
    at: `/${pathSegment(name)}`,
    form: formOf(inner),
  }))
  const empty = schema.default ?? null
  return {
    merge(before, given, path, notes) {
      if (given === undefined) return before === undefined ? empty : before
      if (given === null) return null
      const wanted = given as Fields
      if (before === undefined || before === null) {
        const whole: Fields = {}
        for (const { name, at, form } of fields) whole[name] = form.merge(undefined, wanted[name], path + at, notes)
        return whole
      }
      const stored = before as Fields
      let merged: Fields | undefined
      for (const { name, at, form } of fields) {
        const value = wanted[name]
        if (value === undefined && stored[name] !== undefined) continue
        const field = form.merge(stored[name], value, path + at, notes)
        if (field === stored[name]) continue
        merged ??= { ...stored }
        merged[name] = field
      }
      return merged ?? before
    },
    changes(before, after, path, report) {
      if (before === after) return
      if (before === null || after === null) report({ path, before, after })
      else
        for (const { name, at, form } of fields)
          form.changes((before as Fields)[name], (after as Fields)[name], path + at, report)
    },
  }
}

/** An object that is one value: replaced and compared whole, its fields in schema order. */
export function wholeForm(schema: FormSchema, formOf: FormOf): Form {
  const fields = objectForm(schema, formOf)
  return {
    merge(before, given, path, notes) {
      if (given === undefined && before !== undefined) return before
      const after = fields.merge(undefined, given, path, notes)
      return before !== undefined && sameValue(before, after) ? before : after
    },
    changes(before, after, path, report) {
      if (!sameValue(before, after)) report({ path, before, after })
    },
  }
}
