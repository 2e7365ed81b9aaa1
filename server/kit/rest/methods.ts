import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/**
 * Answers, before any body is read, what no route answers: a method that a known path has not with 405 and Allow (RFC
 * 9110 §15.5.6), OPTIONS of a known path with 204, anything else with 404. A path that a pattern spells out is no other's:
 * it has that pattern's methods alone, and one that names nothing where a pattern has a name is no path of it. `requireTenant`
 * throws where the path is one of a tenant that there is not, which has none. Knows the routes mounted from now on.
 */
export function refuseUnknownRoutes(
  app: FastifyInstance,
  requireTenant: (request: FastifyRequest) => Promise<unknown>,
): void {
  const routes = new Map<string, { segments: Segments; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { segments: url.split('/'), methods: new Set() }
    for (const one of Array.isArray(method) ? method : [method]) route.methods.add(one)
    routes.set(url, route)
  })
  const known = new Map<string, Segments[]>()
  const narrowerThan = (pattern: string) => {
    const found = known.get(pattern) ?? listNarrower(pattern, [...routes.keys()])
    known.set(pattern, found)
    return found
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { url: pattern } = request.routeOptions
    const isKnown = pattern !== undefined && !namesNothing(request.params as Record<string, string>)
    if (isKnown && narrowerThan(pattern).length === 0) return done()
    const path = segmentsOf(request.url.split('?', 1)[0]!)
    const isNarrower = (one: string) => narrowerThan(one).some((narrower) => fits(path, narrower))
    if (isKnown && !isNarrower(pattern)) return done()
    const own = [...routes].filter(([one, { segments }]) => fits(path, segments) && !isNarrower(one))
    const methods = own.flatMap(([, route]) => [...route.methods])
    if (methods.length === 0) throw new Problem('request.route_not_found', 'There is nothing at this path.')
    const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
    const answer = () => {
      if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send()
      throw new Problem('request.method_not_allowed', `This path knows ${allow}.`, { headers: { allow } })
    }
    requireTenant(request).then(answer).catch(done)
  })
}

const namesNothing = (params: Record<string, string>) =>
  Object.entries(params).some(([name, value]) => name !== '*' && value === '')

type Segments = readonly string[]

/** The patterns all of whose paths are also this one's, and not the other way round. */
function listNarrower(pattern: string, patterns: readonly string[]): Segments[] {
  const wide = pattern.split('/')
  return patterns.map((one) => one.split('/')).filter((one) => fits(one, wide) && !fits(wide, one))
}

/** Whether a path is one of a pattern's: segment by segment, `:name` for any, `*` for all that is left, which is something. */
function fits(path: Segments, pattern: Segments): boolean {
  const rest = pattern.indexOf('*')
  if (rest < 0 ? path.length !== pattern.length : !path[rest]) return false
  const fixed = rest < 0 ? pattern : pattern.slice(0, rest)
  return fixed.every((segment, at) => path[at] === segment || (segment.startsWith(':') && (path[at] ?? '') !== ''))
}

/** The segments of a path, decoded as the router decodes them. */
function segmentsOf(path: string): string[] {
  try {
    return decodeURI(path).split('/')
  } catch {
    return []
  }
}
