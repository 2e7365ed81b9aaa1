import { sameValue } from '../../catalog-schema/form.ts'
import { Problem } from '../problems.ts'
import { inCanonicalOrder } from './formatting/canonical-order.ts'
import { isJson, jsonText } from './formatting/formatting.ts'
import { printFile } from './formatting/printing.ts'
import { plainValue, writtenOf } from './formatting/written.ts'
import { readCatalogText } from './yaml-reading.ts'

/** The first line of a YAML file, which tells editors the schema: a URL, or a path from the catalog's root. */
export const modeline = /^# yaml-language-server: \$schema=.*\n/

/**
 * A file's content as text in canonical order and style, YAML or (by the ending of its name) JSON, that reads back as
 * the very same values. Text that any YAML reader, of version 1.1 or 1.2, could take for something else is quoted.
 * Raises cli.output for a value that no catalog file can hold.
 */
export function renderFile(name: string, value: object, schema: string): string {
  const ordered = inCanonicalOrder(writtenOf(value))
  const head = isJson(name) ? '' : `# yaml-language-server: $schema=${referenceFrom(name, schema)}\n`
  const text = isJson(name) ? `${jsonText(ordered)}\n` : `${head}${printFile([], ordered).join('\n')}\n`
  const reading = readCatalogText(text, isJson(name) ? 'json' : 'yaml')
  if (reading.refusals.length > 0 || !sameValue(reading.value, plainValue(ordered))) {
    throw new Problem(
      'cli.output',
      `${name} would hold something that a catalog file cannot: a reserved key, NUL or half a character.`,
    )
  }
  return text
}

/** The schema's place as seen from a file. */
function referenceFrom(name: string, schema: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(schema)) return schema
  return '../'.repeat(name.split('/').length - 1) + schema
}
