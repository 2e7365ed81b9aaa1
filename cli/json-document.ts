import { withoutSecrets } from './held-secrets.ts'
import { Problem } from './problems.ts'
import { visible, visibleJson } from './visible-text.ts'

const warnings: string[] = []

let indent = 2

/** Writes every document of this run, what it fails with included, on one line: it is a stream of them. */
export function streamDocuments() {
  indent = 0
}

/** Keeps a warning for the document of this run. */
export function collectWarning(message: string) {
  warnings.push(message)
}

/** The one document of a run: the result, and what was warned of under `warnings` where the result is an object. */
export function documentOf(result: unknown, warned: readonly string[] = warnings): unknown {
  if (result === undefined) return null
  if (warned.length === 0 || !canHoldWarnings(result)) return result
  const own = 'warnings' in result && Array.isArray(result.warnings) ? result.warnings : []
  return { ...result, warnings: [...own, ...warned.map((message) => ({ message }))] }
}

/** The JSON text of a value, without secrets. Raises cli.output where it is nested deeper than the stack, or longer than any text. */
export function jsonText(value: unknown, indent?: number): string {
  const clean = (_name: string, one: unknown) => (typeof one === 'string' ? withoutSecrets(one) : one)
  try {
    return JSON.stringify(value, clean, indent)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new Problem('cli.output', 'What came is nested too deep, or too large, to be written as one JSON document.', {
      hint: '"licet api" without --json or --paginate prints an answer as it came',
      cause,
    })
  }
}

/**
 * Writes the one JSON document of this run to stdout, or one of a stream, the first of which holds what was warned of.
 * Warnings that it cannot hold (it is a list) go to stderr.
 */
export function printDocument(result: unknown) {
  process.stdout.write(`${visibleJson(jsonText(documentOf(result), indent))}\n`)
  if (!canHoldWarnings(result)) for (const message of warnings) process.stderr.write(`Warning: ${visible(message)}\n`)
  warnings.length = 0
}

function canHoldWarnings(result: unknown): result is object {
  return typeof result === 'object' && result !== null && !Array.isArray(result)
}
