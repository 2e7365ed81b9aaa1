import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { checkSettings } from './checker.ts'
import { itemSchemas } from './order.ts'
import { FileHeadSchema, reviewedOf, snapshotOf } from './snapshot-schema.ts'

/** The module that a build puts in the place of checks-beforehand.ts. */
export function checksBeforehandCode(): string {
  const around = { head: FileHeadSchema, envelope: snapshotOf(() => ({})), review: reviewedOf({}) }
  const schemas = { ...itemSchemas, ...around }
  const ajv = new Ajv2020({ ...checkSettings, allErrors: false, code: { source: true, esm: true } })
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name)
  const names = Object.keys(schemas)
  const code = standaloneCode.default(ajv, Object.fromEntries(names.map((name) => [name, name])))
  return `import { Refusal, replacements } from './canonical-scalars.ts'
${code}
export const checksBeforehand = { ${names.join(', ')} }
`
}
