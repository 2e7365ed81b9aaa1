import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../../database/database.ts'
import { databaseAway } from '../database-away.ts'
import { Problem } from '../problem.ts'

const paths = ['/healthz', '/readyz', '/metrics']

/** Whether a path is one of these, which are no tenant's; throws where a tenant's is asked for. */
export function isProbe({ url, raw }: FastifyRequest): boolean {
  if (!paths.includes(url.split('?', 1)[0]!)) return false
  if (raw.tenantSlug !== undefined) throw new Problem('request.route_not_found', 'There is nothing at this path.')
  return true
}

/** Serves what operators watch, at the origin only: alive, ready (the database answers and is migrated), Prometheus metrics. */
export function mountProbes(app: FastifyInstance, database: Database, metrics: Registry): void {
  const onRequest = async (request: FastifyRequest) => void isProbe(request)
  app.get('/healthz', { onRequest }, async () => ({ status: 'alive' }))
  app.get('/readyz', { onRequest }, async () => {
    try {
      await database.ping()
    } catch (error) {
      throw Object.assign(databaseAway(error), { cause: error })
    }
    return { status: 'ready' }
  })
  app.get('/metrics', { onRequest }, async (_request, reply) =>
    reply.header('content-type', metrics.contentType).send(await metrics.metrics()),
  )
}
