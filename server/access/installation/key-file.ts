import { homedir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseLocation } from '../../database/database-url.ts'
import { isLoopbackHost } from '../../kit/public-address.ts'

/**
 * The file that a database's master key is in where LICET_MASTER_KEY does not hold it: beside a SQLite file; for a
 * PostgreSQL on this machine among the user's settings, `$XDG_CONFIG_HOME/licet/keys/HOST-PORT-NAME.key`. A PostgreSQL
 * elsewhere has none: its servers may be on many machines.
 */
export function keyFileOf(location: DatabaseLocation): string | undefined {
  if (location.kind === 'sqlite') return `${location.file}.key`
  const { hostname, port, pathname, searchParams } = new URL(location.url)
  // As PostgreSQL's clients find it.
  const host = searchParams.get('host') ?? (hostname || process.env.PGHOST || '')
  const isSocket = host === '' || host.startsWith('/')
  if (!isSocket && !isLoopbackHost(host)) return undefined
  const ownPort = searchParams.get('port') ?? (port || process.env.PGPORT || '5432')
  const name = `localhost-${ownPort}-${pathname.slice(1)}`.replaceAll('%', '_').replaceAll('/', '_')
  const settings = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return join(settings, 'licet', 'keys', `${name}.key`)
}
