type Schema = Record<string, unknown>

/** What a schema accepts, a line for each field, such as `plans[].code: string 1..100` or `limits?: null | object`. */
export function fieldsOf(schema: unknown): string[] {
  return linesOf(schema as Schema, '')
}

function linesOf(schema: Schema, path: string): string[] {
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (alternatives?.some((one) => one.properties || one.items))
    return [
      ...(path ? [`${path}: ${alternatives.map(nameOf).join(' | ')}`] : []),
      ...alternatives.flatMap((one) => (one.properties || one.items ? linesOf(one, path).slice(path ? 1 : 0) : [])),
    ]
  const own = path ? [`${path}: ${nameOf(schema)}`] : []
  const required = (schema.required ?? []) as string[]
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) =>
    linesOf(field, `${path}${path ? '.' : ''}${name}${required.includes(name) ? '' : '?'}`),
  )
  const values = ['additionalProperties', 'patternProperties'].flatMap((keyword) => {
    const found = schema[keyword] as Schema | boolean | undefined
    const members = keyword === 'patternProperties' ? Object.values((found ?? {}) as Schema) : [found]
    return members.flatMap((one) => (typeof one === 'object' ? linesOf(one as Schema, `${path}{}`) : []))
  })
  const items = typeof schema.items === 'object' ? linesOf(schema.items as Schema, `${path}[]`) : []
  return [...own, ...fields, ...values, ...items]
}

/** The type and every bound on it, in one line. */
function nameOf(schema: Schema): string {
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (alternatives) return alternatives.map(nameOf).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  const choices = schema.enum as unknown[] | undefined
  const type = choices?.map((choice) => JSON.stringify(choice)).join(' | ') ?? [schema.type ?? 'any'].flat().join(' | ')
  const bounds = boundWords.flatMap((word) => (schema[word] === undefined ? [] : [`${word} ${String(schema[word])}`]))
  return [type, ...(schema.additionalProperties === false ? ['closed'] : []), ...bounds].join(', ')
}

const boundWords = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'maxProperties',
  'uniqueItems',
]
