import type { RequestContext } from './context.ts'
import { invalid, Problem } from './problem.ts'

/** An entity tag (RFC 9110 §8.8.3), which may hold commas, or a bare number. */
const entityTag = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"|(\d+)/g

/**
 * Refuses a request whose If-Match (RFC 9110 §13.1.1) names only other revisions of the record. It is `*` or a list of
 * entity tags, of which `"7"`, `W/"7"` and a bare `7` name revision 7 and others none.
 */
export function requireRevision({ headers }: Pick<RequestContext, 'headers'>, revisionNumber: number): void {
  const header = headers['if-match']
  if (header === undefined) return
  const text = typeof header === 'string' ? header : header.join(',')
  // No header holds a NUL: it stands for a tag.
  const elements = text.replaceAll(entityTag, '\0').split(',')
  const given = elements.map((element) => element.trim()).filter((element) => element !== '')
  if (given.length === 0 || given.some((element) => element !== '\0' && element !== '*'))
    throw invalid([{ pointer: 'If-Match', message: 'must be a revision number in quotes, such as "7", or *' }])
  const tags = [...text.matchAll(entityTag)].map(([, quoted, bare]) => quoted ?? bare)
  if (given.includes('*') || tags.includes(String(revisionNumber))) return
  throw new Problem(
    'request.precondition_failed',
    `The record stands at revision ${revisionNumber}; read it again before changing it.`,
  )
}
