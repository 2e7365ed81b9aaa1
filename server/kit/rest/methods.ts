import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.ts'

const bindings = new WeakMap<object, Map<string, Set<string>>>()

/** Remembers every route of the app from now on, so that the methods it has not can be refused by name. */
export function watchRoutes(app: FastifyInstance): void {
  const known = new Map<string, Set<string>>()
  bindings.set(app, known)
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set()
    for (const one of Array.isArray(method) ? method : [method]) methods.add(one)
    known.set(url, methods)
  })
}

/** Answers every other method of a known path with 405 and Allow (RFC 9110 §15.5.6), and OPTIONS with 204. */
export function mountMethodRefusals(app: FastifyInstance): void {
  const routes = [...bindings.get(app)!].map(([url, methods]) => [url, [...methods]] as const)
  for (const [url, methods] of routes) {
    const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
    const others = app.supportedMethods.filter((method) => !methods.includes(method) && method !== 'OPTIONS')
    app.route({
      method: others,
      url,
      exposeHeadRoute: false,
      onRequest: async () => {
        throw new Problem('request.method_not_allowed', `This path knows ${allow}.`, { headers: { allow } })
      },
      handler: async () => undefined,
    })
    app.route({
      method: 'OPTIONS',
      url,
      handler: async (_request, reply) => reply.code(204).header('allow', allow).send(),
    })
  }
}
