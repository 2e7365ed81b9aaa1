/** One difference between two items: an RFC 6901 pointer whose segments are names, and the values on both sides (null: nothing there). */
export interface Change {
  path: string
  before: unknown
  after: unknown
}

/** How values of one schema are completed, merged and compared. */
export interface Form {
  /** The canonical whole value: every field present, in schema order. */
  complete(given: unknown): unknown
  /** What a given value makes of the stored one: absent fields stay, lists of named members are merged by name. Members that only the stored value has are kept and reported. */
  merge(before: unknown, given: unknown, path: string, kept: (path: string) => void): unknown
  /** The differences between two canonical values. */
  changes(before: unknown, after: unknown, path: string, report: (change: Change) => void): void
}

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  default?: unknown
  'x-named-by'?: string[]
  'x-sorted-by'?: string
  'x-indexed'?: boolean
  'x-tags'?: boolean
  'x-map'?: boolean
  'x-whole'?: boolean
}

type Fields = Record<string, unknown>
const segment = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
const byCodePoint = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Compiles a schema of the catalog into its form, once. */
export function formOf(schema: object): Form {
  const rules = schema as Schema
  const types = Array.isArray(rules.type) ? rules.type : [rules.type]
  if (types.includes('object') && rules.properties && !rules['x-whole']) return objectForm(rules)
  if (types.includes('object') && rules['x-map']) return mapForm(rules)
  if (types.includes('array') && rules['x-named-by']) return namedListForm(rules)
  if (types.includes('array') && rules['x-indexed']) return indexedListForm(rules)
  if (types.includes('array') && rules['x-tags']) return plainForm(rules, canonicalTags)
  return plainForm(rules, (value) => value)
}

/** The empty value of a form: what an absent field holds. */
const emptyOf = (schema: Schema) => (schema.default === undefined ? null : structuredClone(schema.default))

function canonicalTags(value: unknown): unknown {
  const first = new Map<string, string>()
  for (const name of value as string[]) if (!first.has(name.toLowerCase())) first.set(name.toLowerCase(), name)
  return [...first.values()].sort(byCodePoint)
}

export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && sameValue((a as Fields)[key], (b as Fields)[key]))
}

function plainForm(schema: Schema, canonical: (value: unknown) => unknown): Form {
  const nullable = Array.isArray(schema.type) && schema.type.includes('null')
  const complete = (given: unknown) =>
    given === undefined || (given === null && !nullable) ? emptyOf(schema) : given === null ? null : canonical(given)
  return {
    complete,
    merge: (before, given) =>
      given === undefined ? (before === undefined ? emptyOf(schema) : before) : complete(given),
    changes(before, after, path, report) {
      if (before !== after && !sameValue(before, after)) report({ path, before, after })
    },
  }
}

function objectForm(schema: Schema): Form {
  const fields = Object.entries(schema.properties!).map(([name, inner]) => [name, formOf(inner)] as const)
  const empty = schema.default
  const merge: Form['merge'] = (before, given, path, kept) => {
    if (given === undefined) return before === undefined ? (empty ?? null) : before
    if (given === null) return null
    const [stored, wanted, merged] = [(before ?? {}) as Fields, given as Fields, {} as Fields]
    for (const [name, form] of fields)
      merged[name] = form.merge(stored[name], wanted[name], `${path}/${segment(name)}`, kept)
    return merged
  }
  return {
    complete(given) {
      if (given === undefined || given === null) return empty ?? null
      const whole: Fields = {}
      for (const [name, form] of fields) whole[name] = form.complete((given as Fields)[name])
      return whole
    },
    merge,
    changes(before, after, path, report) {
      if (before === null || after === null) {
        if (before !== after) report({ path, before, after })
        return
      }
      for (const [name, form] of fields)
        form.changes((before as Fields)[name], (after as Fields)[name], `${path}/${segment(name)}`, report)
    },
  }
}

function mapForm(schema: Schema): Form {
  const inner = formOf(schema.additionalProperties as Schema)
  const ordered = (map: Fields) =>
    Object.fromEntries(
      Object.entries(map)
        .sort(([a], [b]) => byCodePoint(a, b))
        .map(([key, value]) => [key, value]),
    )
  const complete = (given: unknown) =>
    ordered(
      Object.fromEntries(Object.entries((given as Fields) ?? {}).map(([key, value]) => [key, inner.complete(value)])),
    )
  return {
    complete,
    merge(before, given, path, kept) {
      if (given === undefined || given === null) return before === undefined ? {} : before
      const merged: Fields = { ...(before as Fields) }
      for (const key of Object.keys(merged)) if (!Object.hasOwn(given as Fields, key)) kept(`${path}/${segment(key)}`)
      for (const [key, value] of Object.entries(given as Fields))
        merged[key] = inner.merge(merged[key], value, `${path}/${segment(key)}`, kept)
      return ordered(merged)
    },
    changes(before, after, path, report) {
      const [old, now] = [(before ?? {}) as Fields, (after ?? {}) as Fields]
      for (const key of Object.keys(old))
        if (!Object.hasOwn(now, key)) report({ path: `${path}/${segment(key)}`, before: old[key], after: null })
      for (const [key, value] of Object.entries(now)) {
        if (Object.hasOwn(old, key)) inner.changes(old[key], value, `${path}/${segment(key)}`, report)
        else report({ path: `${path}/${segment(key)}`, before: null, after: value })
      }
    },
  }
}

function namedListForm(schema: Schema): Form {
  const inner = formOf(schema.items!)
  const nameFields = schema['x-named-by']!
  const sortField = schema['x-sorted-by']
  const nameOf = (member: unknown) => memberName(nameFields, member as Fields)
  const keepsOrder = nameFields.length === 1 && (nameFields[0] === 'value' || nameFields[0] === 'key')
  const ordered = (members: unknown[]) => {
    if (keepsOrder) return members
    return members
      .map((member) => ({ member, rank: sortField ? Number((member as Fields)[sortField]) : 0, name: nameOf(member) }))
      .sort((a, b) => a.rank - b.rank || byCodePoint(a.name, b.name))
      .map(({ member }) => member)
  }
  return {
    complete: (given) => ordered(((given as unknown[] | null) ?? []).map((member) => inner.complete(member))),
    merge(before, given, path, kept) {
      if (given === undefined || given === null) return before === undefined ? [] : before
      const members = new Map(((before as unknown[]) ?? []).map((member) => [nameOf(member), member]))
      const wanted = new Map((given as unknown[]).map((member) => [nameOf(member), member]))
      for (const name of members.keys()) if (!wanted.has(name)) kept(`${path}/${segment(name)}`)
      for (const [name, member] of wanted)
        members.set(name, inner.merge(members.get(name), member, `${path}/${segment(name)}`, kept))
      return ordered([...members.values()])
    },
    changes(before, after, path, report) {
      const old = new Map(((before as unknown[]) ?? []).map((member) => [nameOf(member), member]))
      const now = new Map(((after as unknown[]) ?? []).map((member) => [nameOf(member), member]))
      for (const [name, member] of old)
        if (!now.has(name)) report({ path: `${path}/${segment(name)}`, before: member, after: null })
      for (const [name, member] of now) {
        const at = `${path}/${segment(name)}`
        if (old.has(name)) inner.changes(old.get(name), member, at, report)
        else report({ path: at, before: null, after: member })
      }
    },
  }
}

/** A member's name inside a path: its name, code or value; `CODE@VERSION` for a product. */
export function memberName(nameFields: readonly string[], member: Fields): string {
  const code = String(member[nameFields[0]!] ?? '')
  if (nameFields.length === 1) return code
  const version = member[nameFields[1]!]
  const product = version ? `${code}@${String(version)}` : code
  return nameFields.length === 2 ? product : `${product}/${String(member[nameFields[2]!])}`
}

function indexedListForm(schema: Schema): Form {
  const inner = formOf(schema.items!)
  const complete = (given: unknown) => ((given as unknown[] | null) ?? []).map((entry) => inner.complete(entry))
  return {
    complete,
    merge: (before, given) =>
      given === undefined || given === null ? (before === undefined ? [] : before) : complete(given),
    changes(before, after, path, report) {
      const [old, now] = [(before as unknown[]) ?? [], (after as unknown[]) ?? []]
      for (let index = 0; index < Math.max(old.length, now.length); index++) {
        const at = `${path}/${index}`
        if (index >= now.length) report({ path: at, before: old[index], after: null })
        else if (index >= old.length) report({ path: at, before: null, after: now[index] })
        else inner.changes(old[index], now[index], at, report)
      }
    },
  }
}
