import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { pino } from 'pino'
import { keyFileOf } from './access/installation/key-file.ts'
import { doubtMasterKey, openSealer } from './access/installation/master-key.ts'
import { contextBuilder, findTenant } from './access/request-context.ts'
import { mountTokenEndpoint, tokenErrors } from './access/routes.ts'
import { nowOfTenant } from './access/tenants/tenant-clock.ts'
import { findTenantBySlug } from './access/tenants/tenant-lookup.ts'
import { identifyUser } from './access/user-tokens/identification.ts'
import { identifySession } from './activations/license-tokens/identification.ts'
import type { Database } from './database/database.ts'
import { readDatabaseUrl } from './database/database-url.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'
import { renewStatistics } from './database/statistics.ts'
import { mountDocs } from './docs/pages.ts'
import { entitlementsDue } from './entitlements/life/due.ts'
import { startClockwork } from './kit/clockwork.ts'
import { type DueWork, runDueNow } from './kit/due-work.ts'
import { openHeavyLane } from './kit/heavy-lane.ts'
import { stderrLog } from './kit/log-output.ts'
import { type MailOptions, openMail } from './kit/mail.ts'
import { openMetrics, timeAttempts } from './kit/metrics.ts'
import { openOutgoing } from './kit/outgoing/client.ts'
import { isLoopbackHost } from './kit/public-address.ts'
import { afterAnswer, answerInTurn } from './kit/rest/answering-in-turn.ts'
import { bodyLimits, headLimit } from './kit/rest/body.ts'
import { bodyReader } from './kit/rest/body-reading.ts'
import { refuseWhileDraining } from './kit/rest/draining.ts'
import { dropForwardedPorts } from './kit/rest/forwarded.ts'
import { lingerOnClosing } from './kit/rest/lingering.ts'
import { refuseUnknownRoutes } from './kit/rest/methods.ts'
import { operationsOf } from './kit/rest/operation.ts'
import { isProbe, mountProbes } from './kit/rest/probes.ts'
import {
  answerProblems,
  answerSocketError,
  refuseExpectation,
  refuseTunnel,
  sendFrameworkProblem,
  setUsualHeaders,
} from './kit/rest/refusals.ts'
import { logRequests } from './kit/rest/request-log.ts'
import { mountOperations } from './kit/rest/routes.ts'
import { refuseUnsoundRequest } from './kit/rest/soundness.ts'
import { originForm, splitTenantPath } from './kit/rest/tenant-path.ts'
import type { Sealer } from './kit/sealing.ts'
import { threadLimits } from './kit/thread-limits.ts'
import { mountTrpc } from './kit/trpc-endpoint.ts'
import { metersDue } from './metering/due.ts'
import { appRouter } from './router.ts'
import { type CatalogAtStart, importAtStart, type StartOutcome } from './snapshot/import-at-start.ts'
import { identifyCallback } from './webhooks/callback-tokens/identification.ts'
import { Dispatcher } from './webhooks/dispatch/dispatcher.ts'

/** Required, not imported: importing node:http loads Node's own HTTP client too, a tenth of the whole start. */
const { METHODS } = createRequire(import.meta.url)('node:http') as typeof import('node:http')

export interface ServerOptions {
  /** `sqlite:FILE` or `postgres://…`. */
  databaseUrl: string
  host: string
  /** 0 picks a free port. */
  port: number
  /** The origin that clients use, when it is not the address listened on (a proxy stands before it). */
  publicUrl?: string | undefined
  /** Addresses and networks (CIDR) of proxies whose X-Forwarded-For is believed; of nobody else's. */
  trustedProxies?: readonly string[] | undefined
  /** The tenant that requests at the origin go to when no host name matches. */
  defaultTenant?: string | undefined
  /** Whether webhooks may go to addresses that are not public, and over plain http. */
  allowPrivateWebhooks?: boolean | undefined
  /** The SMTP server that letters to people go out by; without one, none are sent. */
  mail?: MailOptions | undefined
  /** pino's level; `info` writes a line per request. */
  logLevel?: string | undefined
  /** Imported into the default tenant, or the only one, before the server listens. */
  catalog?: CatalogAtStart | undefined
}

export interface RunningServer {
  /** The address listened on, such as `http://127.0.0.1:7070`. */
  url: string
  /**
   * Accepts nothing more, finishes what is running, then lets go of the database. For up to `idleMillis` (0 unless told)
   * connections are kept, and taken, so that a request that is already on its way is answered that the server goes down.
   */
  close(how?: { idleMillis: number }): Promise<void>
  /** Writes an error that ends the process, and what it does, into the log. */
  logFatal(error: unknown, message: string): void
}

/** Starts a server on a database that it brings up to date first; throws, with nothing left open, when it cannot. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const log = pino({ level: options.logLevel ?? 'info' }, stderrLog)
  const database = openDatabase(options.databaseUrl)
  try {
    await migrate(database, (has, wanted) =>
      log.info({ has, wanted }, 'the database is of an earlier version: it is brought up to date first'),
    )
    const sealer = await openSealer(database, readDatabaseUrl(options.databaseUrl))
    return await serve(options, log, database, sealer)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function serve(
  options: ServerOptions,
  log: pino.Logger,
  database: Database,
  sealer: Sealer,
): Promise<RunningServer> {
  let listening = ''
  let isLocal = false
  const origin = () => options.publicUrl?.replace(/\/+$/, '') ?? listening
  const app = createFastify(options, log, origin)
  const drain = composeHooks(app, origin, { database, defaultTenant: options.defaultTenant })

  const operations = operationsOf(appRouter)
  const outgoing = openOutgoing(options.allowPrivateWebhooks ?? false)
  const mail = options.mail && openMail(options.mail, (reason) => app.log.warn({ reason }, 'an e-mail was not sent'))
  const buildContext = contextBuilder({
    ...{ database, sealer, origin, dueWork, outgoing, mail },
    isLocal: () => isLocal,
    settleDeliveries: (tenantId) => dispatcher.settle(tenantId),
    defaultTenant: options.defaultTenant,
    identifiers: { session: identifySession, user: identifyUser, callback: identifyCallback },
  })
  const heavy = openHeavyLane(
    database,
    () => new Worker(workerUrl(), { workerData: { databaseUrl: options.databaseUrl }, resourceLimits: threadLimits }),
  )
  const letGo = async () => {
    await mail?.close()
    await outgoing.close()
    await heavy.close()
  }
  const metrics = openMetrics(app)
  mountOperations(app, operations, buildContext, heavy)
  mountTrpc(app, appRouter, operations, buildContext, heavy, origin)
  mountTokenEndpoint(app, buildContext)
  mountDocs(app, operations, buildContext, origin)
  mountProbes(app, database, metrics)

  try {
    await prepare(app, options, database)
    await app.listen({ host: options.host, port: options.port })
  } catch (error) {
    await app.close()
    await letGo()
    throw error
  }
  listening = listeningUrl(app)
  const listened = app.addresses() as AddressInfo[]
  isLocal = [new URL(origin()).hostname, ...listened.map(({ address }) => address)].every(isLoopbackHost)
  const clockwork = startClockwork(
    (stop) => runDueNow(database, dueWork, (tenantId) => nowOfTenant(database.read, tenantId), stop),
    duePauseMillis,
    (error) => app.log.error(error, 'what is due was not done; it is tried again'),
  )
  const planning = startClockwork(
    () => renewStatistics(database),
    statisticsPauseMillis,
    (error) => app.log.warn(error, 'PostgreSQL did not look at its tables; it is asked again'),
  )
  const dispatcher = new Dispatcher({
    ...{ database, sealer, outgoing },
    baseUrlOf: (slug) => `${origin()}/t/${slug}`,
    nowOf: (tenantId) => nowOfTenant(database.read, tenantId),
    observe: timeAttempts(metrics),
    log: app.log,
  })
  return {
    url: listening,
    async close({ idleMillis } = { idleMillis: 0 }) {
      const goingDown = drain.begin(idleMillis).then(() => app.close())
      await Promise.all([goingDown, dispatcher.stop(), clockwork.stop(), planning.stop()])
      await letGo()
      await database.close()
    },
    logFatal: (error, message) => app.log.fatal(error, message),
  }
}

/** What an operator is to know, and what is imported, before anybody can ask. */
async function prepare(app: FastifyInstance, options: ServerOptions, database: Database): Promise<void> {
  if (options.allowPrivateWebhooks)
    app.log.warn('webhooks may go to addresses that are not public, and over plain http (--allow-private-webhooks)')
  if (database.kind === 'postgres' && !process.env.LICET_MASTER_KEY?.trim())
    app.log.warn(
      `the master key is in ${keyFileOf(readDatabaseUrl(options.databaseUrl))}: keep a copy, and set LICET_MASTER_KEY to it elsewhere`,
    )
  const doubt = doubtMasterKey(readDatabaseUrl(options.databaseUrl))
  if (doubt !== undefined) app.log.warn(doubt)
  if (options.defaultTenant !== undefined && !(await findTenantBySlug(database, options.defaultTenant)))
    app.log.warn(
      `there is no tenant "${options.defaultTenant}": until it is made, the origin answers 404 (--default-tenant)`,
    )
  if (options.catalog) logOutcome(app, await importAtStart(database, options.defaultTenant, options.catalog))
}

function logOutcome({ log }: FastifyInstance, { outcome, ...details }: StartOutcome): void {
  if (outcome === 'left out')
    log.warn(details, 'the catalog was left out: importing it would overwrite later edits (--import-overwrite does)')
  else log.info(details, `the catalog was ${outcome}`)
}

/** What becomes due by itself. */
const dueWork: readonly DueWork[] = [entitlementsDue, metersDue]
/** How long after it is due that is done, at most. */
const duePauseMillis = 1000
/** How long PostgreSQL may plan for a table that was just filled as if it were empty. */
const statisticsPauseMillis = 1000

const noSchemas = () => () => {
  throw new Error('routes have no schemas')
}

function createFastify(options: ServerOptions, log: pino.Logger, origin: () => string): FastifyInstance {
  const trustProxy = options.trustedProxies?.length ? [...options.trustedProxies] : false
  const app = fastify({
    loggerInstance: log,
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    rewriteUrl(request) {
      if (trustProxy) dropForwardedPorts(request.headers)
      const { slug, rest } = splitTenantPath(originForm(request))
      if (slug !== undefined) request.tenantSlug = slug
      return rest
    },
    routerOptions: { maxParamLength: 2000, querystringParser: () => ({}) },
    bodyLimit: bodyLimits.usual,
    requestTimeout: 30_000,
    // It would cut the end of the server off, too: what has arrived is finished, however long that takes.
    pluginTimeout: 0,
    keepAliveTimeout: 72_000,
    http: {
      maxHeaderSize: headLimit,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2000,
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy,
    frameworkErrors: (error, request, reply) => sendFrameworkProblem(error, origin(), request as never, reply as never),
    clientErrorHandler: (error, socket) => afterAnswer(socket, () => answerSocketError(error, socket, { origin, log })),
    // Operations check their input and write their answers themselves: what Fastify would do it with is not even loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  })
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method, { hasBody: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', bodyReader())
  return app as unknown as FastifyInstance
}

function composeHooks(
  app: FastifyInstance,
  origin: () => string,
  installation: Parameters<typeof findTenant>[0],
): ReturnType<typeof refuseWhileDraining> {
  app.decorateRequest('correlationId', undefined)
  app.decorateRequest('operationName', undefined)
  app.server.on('checkExpectation', refuseExpectation({ origin, log: app.log }))
  app.server.on('connect', refuseTunnel({ origin, log: app.log }))
  answerInTurn(app)
  // Here and below, what waits for nothing takes `done`: a promise for each hook of each request adds up.
  app.addHook('onRequest', (request, reply, done) => {
    setUsualHeaders(request, reply)
    refuseUnsoundRequest(request.raw)
    done()
  })
  answerProblems(app, origin, tokenErrors)
  logRequests(app)
  const drain = refuseWhileDraining(app)
  lingerOnClosing(app)
  refuseUnknownRoutes(app, async (request) => isProbe(request) || findTenant(installation, request))
  return drain
}

function listeningUrl(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo
  const everywhere = address === '0.0.0.0' || address === '::'
  return `http://${everywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** The heavy thread's entry: beside this file, or in the bundle, whose every script stands one folder below its root. */
const workerUrl = () =>
  import.meta.url.endsWith('.ts')
    ? new URL('./heavy-worker.ts', import.meta.url)
    : new URL('../server/heavy-worker.js', import.meta.url)
