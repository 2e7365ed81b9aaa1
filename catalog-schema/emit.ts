/** Writes the JSON Schemas beside this file: node catalog-schema/emit.ts */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { catalogFileJsonSchema, snapshotJsonSchema } from './json-schema.ts'

const schemas = {
  'catalog-file.schema.json': catalogFileJsonSchema(),
  'snapshot.schema.json': snapshotJsonSchema(),
}
for (const [file, schema] of Object.entries(schemas))
  writeFileSync(fileURLToPath(new URL(file, import.meta.url)), `${JSON.stringify(schema, null, 2)}\n`)
