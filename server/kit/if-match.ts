import type { RequestContext } from './context.ts'
import { invalid, Problem } from './problem.ts'

/** Refuses a request whose If-Match names another revision of the record: `"7"`, `W/"7"` or `7`, a list of them, or `*` (RFC 9110 §13.1.1). */
export function requireRevision({ headers }: Pick<RequestContext, 'headers'>, revisionNumber: number): void {
  const header = headers['if-match']
  if (header === undefined) return
  const tags = (typeof header === 'string' ? header : header.join(',')).split(',').map((tag) => tag.trim())
  const named = tags.map((tag) =>
    tag === '*' ? '*' : /^(?:W\/)?"(\d{1,10})"$|^(\d{1,10})$/.exec(tag)?.slice(1).find(Boolean),
  )
  if (named.includes(undefined))
    throw invalid([{ pointer: 'If-Match', message: 'must be a revision number in quotes, such as "7", or *' }])
  if (named.some((tag) => tag === '*' || Number(tag) === revisionNumber)) return
  throw new Problem(
    'request.precondition_failed',
    `The record stands at revision ${revisionNumber}; read it again before changing it.`,
  )
}
