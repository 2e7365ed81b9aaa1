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
  const template = Object.fromEntries(fields.map(({ name }) => [name, null]))
  return {
    isNoticing: fields.some(({ form }) => form.isNoticing),
    merge(before, given, place, notes) {
      if (given === undefined) return before === undefined ? empty : before
      if (given === null) return null
      const wanted = given as Fields
      if (before === undefined || before === null) {
        const whole: Fields = { ...template }
        for (const { name, form } of fields) {
          const value = wanted[name]
          if (form.scalar) whole[name] = value ?? form.scalar.empty
          else
            whole[name] = form.merge(
              undefined,
              value,
              form.isNoticing && value ? { above: place, field: name } : place,
              notes,
            )
        }
        return whole
      }
      const stored = before as Fields
      let merged: Fields | undefined
      for (const { name, form } of fields) {
        const value = wanted[name]
        const held = stored[name]
        if (value === held || (value === undefined && held !== undefined)) continue
        const field = form.scalar
          ? (value ?? form.scalar.empty)
          : form.merge(held, value, form.isNoticing ? { above: place, field: name } : place, notes)
        if (field === held) continue
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
    isNoticing: fields.isNoticing,
    merge(before, given, place, notes) {
      if (given === undefined && before !== undefined) return before
      const after = fields.merge(undefined, given, place, notes)
      return before !== undefined && sameValue(before, after) ? before : after
    },
    changes(before, after, path, report) {
      if (!sameValue(before, after)) report({ path, before, after })
    },
  }
}
