/** The command line's own refusals, numbered in a family of their own beside the server's. A new one is one line here. */
export const cliProblems = {
  'cli.bug': 8000,
  'cli.usage': 8001,
  'cli.input': 8002,
  'cli.output': 8003,
  'cli.answer_needed': 8004,
  'cli.environment': 8005,
  'cli.wrong_tenant': 8006,
  'cli.credentials': 8007,
  'cli.unreachable': 8008,
  'cli.unreadable_answer': 8009,
  'cli.failed': 8010,
  'cli.catalog': 8011,
  'cli.guarded': 8012,
  'cli.plan_altered': 8013,
} as const

export type CliCodeName = keyof typeof cliProblems

/** Exit codes: done, failed, changes or a negative answer, wrong usage. */
export const exitCodes = { done: 0, failed: 1, negative: 2, usage: 64 } as const

export interface ProblemDetails {
  /** What to try, in one sentence. */
  hint?: string
  /** The number of a server's problem; a codeName of ours brings its own. */
  code?: number
  /** 1 unless it is wrong usage (64) or a negative answer (2). */
  exitCode?: number
  /** The HTTP status, when a server refused. */
  status?: number
  correlationId?: string
  retryAfterSeconds?: number
  /** The codeName of the refusal that a server's problem is about. */
  reason?: string
  /** The server's list of `{pointer, message}` or whatever else its problem carries. */
  errors?: unknown[]
  cause?: unknown
}

/** An ending that the person at the terminal can act on: what happened, and what to try. Anything else thrown is a bug of ours. */
export class Problem extends Error {
  readonly codeName: string
  readonly code: number | null
  readonly exitCode: number
  readonly details: ProblemDetails

  constructor(codeName: CliCodeName | (string & {}), message: string, details: ProblemDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'Problem'
    this.codeName = codeName
    this.code = details.code ?? (cliProblems as Record<string, number>)[codeName] ?? null
    this.exitCode = details.exitCode ?? (codeName === 'cli.usage' ? exitCodes.usage : exitCodes.failed)
    this.details = details
  }

  /** The value of `error` in the JSON document, its keys always in this order. */
  toJSON() {
    const { hint, reason, status, correlationId, retryAfterSeconds, errors } = this.details
    const { code, codeName, message } = this
    return { code, codeName, message, hint: hint ?? null, reason, status, correlationId, retryAfterSeconds, errors }
  }
}
