import type { Form, FormSchema, Notes } from './forms/form.ts'
import { indexedListForm } from './forms/indexed-list.ts'
import { mapForm } from './forms/map.ts'
import { namedListForm } from './forms/named-list.ts'
import { objectForm, wholeForm } from './forms/object.ts'
import { canonicalTags, plainForm } from './forms/plain.ts'

export type { Change, Form, Notes } from './forms/form.ts'
export { sameValue } from './forms/form.ts'
export { nameOf, pathOf } from './forms/place.ts'

/** Compiles a schema of the catalog into its form, once. */
export function formOf(schema: object): Form {
  const rules = schema as FormSchema
  const types = Array.isArray(rules.type) ? rules.type : [rules.type]
  if (types.includes('object') && rules.properties)
    return rules['x-whole'] ? wholeForm(rules, formOf) : objectForm(rules, formOf)
  if (types.includes('object') && rules['x-map']) return mapForm(rules, formOf)
  if (types.includes('array') && rules['x-named-by']) return namedListForm(rules, formOf)
  if (types.includes('array') && rules['x-indexed']) return indexedListForm(rules, formOf)
  return plainForm(rules, types.includes('array') && rules['x-tags'] ? canonicalTags : undefined)
}

const silent: Notes = { kept: () => undefined, repeated: () => undefined }

/** The canonical whole of a value: every field present, in schema order, members in canonical order. */
export const completeValue = (form: Form, given: unknown) => form.merge(undefined, given, undefined, silent)
