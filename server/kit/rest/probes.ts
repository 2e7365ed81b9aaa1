import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../../database/database.ts'
import { databaseAway } from '../database-away.ts'
import { Problem } from '../problem.ts'

/** Serves what operators watch, at the origin only: alive, ready (the database answers and is migrated), Prometheus metrics. */
export function mountProbes(app: FastifyInstance, database: Database, metrics: Registry): void {
  const onRequest = async (request: FastifyRequest) => {
    if (request.raw.tenantSlug !== undefined)
      throw new Problem('request.route_not_found', 'There is nothing at this path.')
  }
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
