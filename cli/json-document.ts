import { withoutSecrets } from './held-secrets.ts'
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

/**
 * Writes the one JSON document of this run to stdout, or one of a stream, the first of which holds what was warned of.
 * Warnings that it cannot hold (it is a list) go to stderr.
 */
export function printDocument(result: unknown) {
  const clean = (_name: string, value: unknown) => (typeof value === 'string' ? withoutSecrets(value) : value)
  process.stdout.write(`${visibleJson(JSON.stringify(documentOf(result), clean, indent))}\n`)
  if (!canHoldWarnings(result)) for (const message of warnings) process.stderr.write(`Warning: ${visible(message)}\n`)
  warnings.length = 0
}

function canHoldWarnings(result: unknown): result is object {
  return typeof result === 'object' && result !== null && !Array.isArray(result)
}
