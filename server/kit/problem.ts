import { type ProblemName, problems } from '../vocabulary/problems.ts'

/** A field that is not acceptable: RFC 6901 pointer into the body (or the parameter's name), and why. */
export interface FieldError {
  pointer: string
  message: string
}

/** The body of every failure (RFC 9457 §3.1) with the service's own stable code and code name. */
export interface ProblemBody {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: number
  codeName: ProblemName
  errors?: FieldError[]
  [extension: string]: unknown
}

/** A refusal that a caller can act on; thrown by procedures, answered as `application/problem+json`. */
export class Problem extends Error {
  readonly codeName: ProblemName
  /** Members beside the seven, such as `errors` or `moved`. */
  readonly extensions: Record<string, unknown>
  /** Of a 401 always a challenge, a bearer token unless another is named (RFC 9110 §15.5.2). */
  readonly headers: Record<string, string>
  /** The HTTP status: the code's own, but for an import, which answers every refusal of its snapshot with 400. */
  readonly status: number

  constructor(
    codeName: ProblemName,
    detail: string,
    options: { status?: number; extensions?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.codeName = codeName
    this.extensions = options.extensions ?? {}
    this.status = options.status ?? problems[codeName][1]
    this.headers = { ...(this.status === 401 && { 'www-authenticate': 'Bearer' }), ...options.headers }
  }

  /** The body as it is sent; `docsUrl` is where the problem's page stands, `instance` the path that was asked. */
  toBody(docsUrl: string, instance: string): ProblemBody {
    const [code, , title] = problems[this.codeName]
    return {
      type: `${docsUrl}/problems/${this.codeName}`,
      title,
      status: this.status,
      detail: this.message,
      instance,
      code,
      codeName: this.codeName,
      ...this.extensions,
    }
  }
}

/** A problem as tRPC carries it: its clients take no error without a `message`, and give `data` to those who catch it. */
export const trpcShapeOf = (body: ProblemBody) => ({ ...body, message: body.detail, data: body })

/** One or more fields are not acceptable. */
export function invalid(errors: FieldError[]): Problem {
  const first = errors[0]!
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new Problem('license.validation_error', `${first.pointer || 'The body'}: ${first.message}${more}`, {
    extensions: { errors },
  })
}

/** There is no such record; the same words whether it never was, was deleted, or is another tenant's. */
export const recordNotFound = (what: string) => new Problem('license.record_not_found', `There is no such ${what}.`)
