import { paint } from './colour.ts'
import type { ShownFinding } from './findings.ts'
import { wantsJson } from './global-switches.ts'
import { withoutSecrets } from './held-secrets.ts'
import { printDocument } from './json-document.ts'
import { cliProblems, exitCodes, Problem } from './problems.ts'
import { findingLines } from './screens/findings.ts'
import { visible } from './visible-text.ts'

/** Ends the run on what was thrown: a problem says what to try, anything else is owned up to as our bug. Sets the exit code. */
export async function endWith(thrown: unknown) {
  const problem = asProblem(thrown)
  if (problem) {
    process.exitCode = problem.exitCode
    if (wantsJson()) printDocument({ error: problem.toJSON() })
    else process.stderr.write(withoutSecrets(describeProblem(problem)))
    return
  }
  process.exitCode = exitCodes.failed
  const id = await bugId(thrown)
  const message = `This is a bug in licet, not in what you did (bug ${id}).`
  const hint = 'Run the same command with LICET_DEBUG=1 for the stack, and report it with the bug number.'
  if (wantsJson())
    printDocument({ error: { code: cliProblems['cli.bug'], codeName: 'cli.bug', message, hint, bug: id } })
  else process.stderr.write(`${paint(process.stderr).red('Bug:')} ${message}\n  Try: ${hint}\n`)
  if (process.env.LICET_DEBUG || process.env.DEBUG) {
    const stack = thrown instanceof Error ? String(thrown.stack) : String(thrown)
    process.stderr.write(`${visible(withoutSecrets(stack), { lines: true })}\n`)
  }
}

/** The problem that was thrown, or that a library wrapped in an error of its own, or that the system's refusal of a file amounts to. */
export function asProblem(thrown: unknown): Problem | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error instanceof Problem) return error
  }
  if (!(thrown instanceof Error)) return undefined
  if ('syscall' in thrown && thrown.syscall === 'uv_cwd')
    return new Problem('cli.input', 'The working directory is no longer there.')
  if ('oclif' in thrown) return new Problem('cli.failed', thrown.message)
  if ('syscall' in thrown && 'path' in thrown && typeof thrown.path === 'string' && 'code' in thrown) {
    return new Problem('cli.input', `${thrown.path}: ${systemRefusal(String(thrown.code))}`)
  }
  return undefined
}

/** What a refusal of the operating system means, in words. */
export function systemRefusal(code: string): string {
  const meanings: Record<string, string> = {
    ENOENT: 'no such file or directory',
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    EISDIR: 'is a directory',
    ENOTDIR: 'a part of the path is not a directory',
    ENOSPC: 'no space left on the device',
    EDQUOT: 'no space left in the quota',
    EIO: 'the device failed',
    EROFS: 'the file system is read-only',
    EEXIST: 'exists already',
  }
  return meanings[code] ?? code
}

function describeProblem(problem: Problem): string {
  const colours = paint(process.stderr)
  const { hint, correlationId } = problem.details
  const errors = untoldErrors(problem)
  const lines = [`${colours.red('Error:')} ${visible(problem.message, { lines: true })}`]
  const most = errors.some(isFinding) ? mostFindings : mostItems
  for (const error of errors.slice(0, most)) {
    if (isFinding(error)) lines.push(...findingLines(error, colours).map((line) => `  ${line}`))
    else lines.push(`  ${describeItem(error)}`)
  }
  if (errors.length > most) lines.push(`  … and ${errors.length - most} more (--json lists all)`)
  if (hint) lines.push(`  Try: ${visible(hint, { lines: true })}`)
  if (correlationId) lines.push(colours.dim(`  correlation id ${visible(correlationId)}`))
  return `${lines.join('\n')}\n`
}

/** A problem's errors that its message does not tell already, as it tells a single one that the server sends. */
function untoldErrors({ message, details: { errors = [] } }: Problem): unknown[] {
  if (errors.length !== 1 || isFinding(errors[0])) return errors
  const { place, text } = readItem(errors[0])
  return message.includes(place) && message.endsWith(text) ? [] : errors
}

/** The most findings in files, and the most other items, that a person is told of. */
const mostFindings = 200
const mostItems = 20

function isFinding(item: unknown): item is ShownFinding {
  return typeof item === 'object' && item !== null && 'severity' in item && 'message' in item
}

function describeItem(item: unknown): string {
  const { place, text } = readItem(item)
  return visible(place ? `${place}: ${text}` : text)
}

function readItem(item: unknown): { place: string; text: string } {
  if (typeof item !== 'object' || item === null) return { place: '', text: String(item) }
  const { pointer, key, path, message } = item as Record<string, unknown>
  const place = [key, pointer ?? path].filter((part) => typeof part === 'string' && part !== '').join(' ')
  return { place, text: typeof message === 'string' ? message : JSON.stringify(item) }
}

/** The same bug has the same number on every machine: a digest of the error's kind and of the functions it passed through. */
async function bugId(thrown: unknown): Promise<string> {
  const { createHash } = await import('node:crypto')
  const stack = thrown instanceof Error ? String(thrown.stack) : ''
  const functions = [...stack.matchAll(/^ {4}at (?:async )?([\w.$<>[\] ]+) \(/gm)].map((match) => match[1])
  const kind = thrown instanceof Error ? thrown.name : typeof thrown
  return createHash('sha256')
    .update([kind, ...functions.slice(0, 6)].join('\n'))
    .digest('hex')
    .slice(0, 8)
}
