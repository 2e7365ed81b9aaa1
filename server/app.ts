import { METHODS } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { openSealer } from './access/installation/master-key.ts'
import { contextBuilder } from './access/request-context.ts'
import { mountTokenEndpoint } from './access/routes.ts'
import type { Database } from './database/database.ts'
import { readDatabaseUrl } from './database/database-url.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'
import { mountDocs } from './docs/pages.ts'
import { openHeavyLane } from './kit/heavy-lane.ts'
import { openMetrics } from './kit/metrics.ts'
import { Problem } from './kit/problem.ts'
import { mountMethodRefusals, watchRoutes } from './kit/rest/methods.ts'
import { operationsOf } from './kit/rest/operation.ts'
import { answerProblems, answerSocketError } from './kit/rest/refusals.ts'
import { mountOperations } from './kit/rest/routes.ts'
import { splitTenantPath } from './kit/rest/tenant-path.ts'
import { mountTrpc } from './kit/trpc-endpoint.ts'
import { appRouter } from './router.ts'

export interface ServerOptions {
  /** `sqlite:FILE` or `postgres://…`. */
  databaseUrl: string
  host: string
  /** 0 picks a free port. */
  port: number
  /** The origin that clients use, when it is not the address listened on (a proxy stands before it). */
  publicUrl?: string | undefined
  /** The tenant that requests at the origin go to when no host name matches. */
  defaultTenant?: string | undefined
  logLevel?: string | undefined
}

export interface RunningServer {
  /** The address listened on, such as `http://127.0.0.1:7070`. */
  url: string
  /** Accepts nothing more, finishes what is running, then lets go of the database. */
  close(): Promise<void>
}

/** Starts a server on a database that it brings up to date first; throws, with nothing left open, when it cannot. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const database = openDatabase(options.databaseUrl)
  try {
    await migrate(database)
    const sealer = await openSealer(database, readDatabaseUrl(options.databaseUrl))
    return await listen(options, database, sealer)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function listen(
  options: ServerOptions,
  database: Database,
  sealer: Awaited<ReturnType<typeof openSealer>>,
): Promise<RunningServer> {
  let origin = options.publicUrl?.replace(/\/+$/, '') ?? ''
  let draining = false
  const app = createFastify(options, () => origin)
  const metrics = openMetrics(app)
  watchRoutes(app)
  answerProblems(app, () => origin)

  app.decorateRequest('tenantSlug', undefined)
  app.addHook('onRequest', async (request, reply) => {
    request.tenantSlug = slugs.get(request.raw)
    reply.header('x-correlation-id', correlationIdOf(request))
    reply.header('x-content-type-options', 'nosniff')
    reply.header('cache-control', 'no-store')
    if (!draining) return
    reply.header('connection', 'close')
    throw new Problem('server.unavailable', 'The server is going down; another one answers, or this one soon again.', {
      headers: { 'retry-after': '2' },
    })
  })

  const operations = operationsOf(appRouter)
  const buildContext = contextBuilder({ database, sealer, origin: () => origin, defaultTenant: options.defaultTenant })
  const heavy = openHeavyLane(
    database,
    () => new Worker(workerUrl(), { workerData: { databaseUrl: options.databaseUrl } }),
  )
  mountOperations(app, operations, buildContext, heavy)
  mountTrpc(app, appRouter, operations, buildContext, heavy)
  mountTokenEndpoint(app, buildContext)
  mountDocs(app, operations, buildContext, () => origin)
  mountProbes(app, database, () => metrics.metrics(), metrics.contentType)
  mountMethodRefusals(app)

  const url = await app.listen({ host: options.host, port: options.port })
  if (origin === '') origin = listeningUrl(app, url)
  return {
    url: listeningUrl(app, url),
    async close() {
      draining = true
      await app.close()
      await heavy.close()
      await database.close()
    },
  }
}

/** The tenant slug of each request's URL, kept between the rewriting of the URL and the first hook. */
const slugs = new WeakMap<object, string>()

function createFastify(options: ServerOptions, origin: () => string): FastifyInstance {
  const app = fastify({
    loggerInstance: pino(
      { level: options.logLevel ?? 'info', redact: ['req.headers.authorization'] },
      pino.destination({ fd: 2, sync: false, minLength: 0 }),
    ),
    disableRequestLogging: true,
    rewriteUrl(request) {
      const { slug, rest } = splitTenantPath(request.url ?? '/')
      if (slug !== undefined) slugs.set(request, slug)
      return rest
    },
    routerOptions: { maxParamLength: 2000, querystringParser: () => ({}) },
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    trustProxy: false,
    clientErrorHandler: (error, socket) => answerSocketError(error, socket, origin()),
  })
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method, { hasBody: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({
      correlationId: reply.getHeader('x-correlation-id'),
      tenant: request.licet?.tenant.slug,
      client: request.licet?.caller.kind === 'client' ? request.licet.caller.clientId : undefined,
      operation: request.routeOptions.config?.operation,
      method: request.method,
      status: reply.statusCode,
      millis: Math.round(reply.elapsedTime * 10) / 10,
    })
  })
  return app as unknown as FastifyInstance
}

const acceptableCorrelationId = /^[\x21-\x7e]{1,128}$/

/** The request's own correlation id, or a new one when it has none fit to be logged. */
export function correlationIdOf(request: FastifyRequest): string {
  const given = request.headers['x-correlation-id']
  request.correlationId ??=
    typeof given === 'string' && acceptableCorrelationId.test(given) ? given : crypto.randomUUID()
  return request.correlationId
}

declare module 'fastify' {
  interface FastifyRequest {
    correlationId?: string
  }
}

function mountProbes(
  app: FastifyInstance,
  database: Database,
  metrics: () => Promise<string>,
  contentType: string,
): void {
  const atOrigin = async (request: FastifyRequest) => {
    if (request.tenantSlug !== undefined) throw new Problem('request.route_not_found', 'There is nothing at this path.')
  }
  app.get('/healthz', { onRequest: atOrigin }, async () => ({ status: 'alive' }))
  app.get('/readyz', { onRequest: atOrigin }, async () => {
    try {
      await database.ping()
    } catch {
      throw new Problem('server.unavailable', 'The database is away; try again shortly.', {
        headers: { 'retry-after': '2' },
      })
    }
    return { status: 'ready' }
  })
  app.get('/metrics', { onRequest: atOrigin }, async (_request, reply) =>
    reply.header('content-type', contentType).send(await metrics()),
  )
}

function listeningUrl(app: FastifyInstance, url: string): string {
  const { port } = app.server.address() as AddressInfo
  const { protocol, hostname } = new URL(url)
  const name = hostname === '0.0.0.0' || hostname === '[::]' ? '127.0.0.1' : hostname
  return `${protocol}//${name}:${port}`
}

/** The heavy thread's entry: beside this file, bundled or not. */
const workerUrl = () =>
  new URL(import.meta.url.endsWith('.ts') ? './heavy-worker.ts' : './heavy-worker.js', import.meta.url)
