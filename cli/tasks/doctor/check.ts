import { Problem } from '../../problems.ts'

/** What one look found. `missing` is something that is not set up and need not be; `problem` is something wrong. */
export interface Check {
  /** What was looked at, such as `staging: credentials`. */
  name: string
  status: 'ok' | 'missing' | 'problem'
  /** What is so. */
  detail: string
  /** What to do next; null when there is nothing to do. */
  next: string | null
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail, next: null })
export const missing = (name: string, detail: string, next: string): Check => ({
  name,
  status: 'missing',
  detail,
  next,
})
export const problem = (name: string, detail: string, next: string): Check => ({
  name,
  status: 'problem',
  detail,
  next,
})

/** A look that failed, as a problem: its own words where it has some. */
export function failed(name: string, thrown: unknown, next: string): Check {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const { hint = next, correlationId } = thrown instanceof Problem ? thrown.details : {}
  return problem(name, correlationId ? `${message} (correlation id ${correlationId})` : message, hint)
}
