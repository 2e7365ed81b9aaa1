import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.ts'

/**
 * Answers, before any body is read, what no route answers: a method that a known path has not with 405 and Allow (RFC
 * 9110 §15.5.6), OPTIONS of a known path with 204, anything else with 404. Knows the routes mounted from now on.
 */
export function refuseUnknownRoutes(app: FastifyInstance): void {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const one of Array.isArray(method) ? method : [method]) methods.add(one)
    methodsOf.set(url, methods)
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const path = segmentsOf(request.url.split('?', 1)[0]!)
    const methods = [...methodsOf].flatMap(([pattern, known]) => (fits(path, pattern.split('/')) ? [...known] : []))
    if (methods.length === 0) throw new Problem('request.route_not_found', 'There is nothing at this path.')
    const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    throw new Problem('request.method_not_allowed', `This path knows ${allow}.`, { headers: { allow } })
  })
}

/** Whether a path is one of a pattern's: segment by segment, `:name` for any, `*` for all that is left. */
function fits(path: readonly string[], pattern: readonly string[]): boolean {
  const rest = pattern.indexOf('*')
  if (rest < 0 && path.length !== pattern.length) return false
  const fixed = rest < 0 ? pattern : pattern.slice(0, rest)
  return fixed.every((segment, at) =>
    segment.startsWith(':') ? (path[at] ?? '') !== '' : path[at] === segment.replaceAll('::', ':'),
  )
}

/** The segments of a path, decoded as the router decodes them. */
function segmentsOf(path: string): string[] {
  try {
    return decodeURI(path).split('/')
  } catch {
    return []
  }
}
