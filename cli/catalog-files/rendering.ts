import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_SCALAR_STYLE_RULES, dump, type PresenterOptions, SCALAR_STYLE } from 'js-yaml'
import { Problem } from '../problems.ts'
import { findScalarRefusal, resolvePlain } from './scalars.ts'
import { readCatalogText } from './yaml-reading.ts'

/** The first line of a YAML file, which tells editors the schema: a URL, or a path from the catalog's root. */
export const modeline = /^# yaml-language-server: \$schema=.*\n/

type ScalarLayout = Parameters<NonNullable<PresenterOptions['scalarStyleRules']>[number]>[0]

const options = {
  lineWidth: -1,
  noRefs: true,
  scalarStyleRules: [...Object.values(DEFAULT_SCALAR_STYLE_RULES), quoteNumberLike],
}

/**
 * A file's content as text, YAML or (by the ending of its name) JSON, that reads back as the very same value. Text that
 * any YAML reader, of version 1.1 or 1.2, could take for something else is quoted. Raises cli.output for a value that
 * no catalog file can hold.
 */
export function renderFile(name: string, value: object, schema: string): string {
  if (/\.json$/i.test(name)) return `${JSON.stringify(value, null, 2)}\n`
  const head = `# yaml-language-server: $schema=${referenceFrom(name, schema)}\n`
  const plain = Object.keys(value).length === 0 ? '{}\n' : dump(value, options)
  const spaced = plain.replace(/\n(?=[A-Za-z$]| {2}- )/g, '\n\n').replace(/^([A-Za-z]+:\n)\n/gm, '$1')
  const candidates = [spaced, plain]
  const text = candidates.find((candidate) => readsBack(head + candidate, value))
  if (text === undefined) {
    throw new Problem(
      'cli.output',
      `${name} would hold something that a catalog file cannot: a reserved key, NUL or half a character.`,
    )
  }
  return head + text
}

function readsBack(text: string, value: object): boolean {
  const reading = readCatalogText(new TextEncoder().encode(text))
  return reading.refusals.length === 0 && isDeepStrictEqual(reading.value, value)
}

/** The schema's place as seen from a file. */
function referenceFrom(name: string, schema: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(schema)) return schema
  return '../'.repeat(name.split('/').length - 1) + schema
}

/** Quotes what our own reading would not take for that text, though it may be text to others. */
function quoteNumberLike(layout: ScalarLayout): void {
  const { tag, value } = layout.node
  if (layout.style !== SCALAR_STYLE.PLAIN || tag !== 'tag:yaml.org,2002:str') return
  if (resolvePlain(value) !== value || findScalarRefusal(value) !== undefined) layout.style = SCALAR_STYLE.SINGLE_QUOTED
}
