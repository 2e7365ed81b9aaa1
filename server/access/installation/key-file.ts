import { homedir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseLocation } from '../../database/database-url.ts'
import { isLoopbackHost } from '../../kit/public-address.ts'

/**
 * The file that a database's master key is in where LICET_MASTER_KEY does not hold it: beside a SQLite file; for a
 * PostgreSQL on this machine among the user's settings, `$XDG_CONFIG_HOME/licet/keys/HOST-PORT-NAME.key`. A PostgreSQL
 * elsewhere has none: its servers may be on many machines.
 */
export function keyFileOf(
  location: DatabaseLocation,
  settings: string = process.env.XDG_CONFIG_HOME || join(homedir(), '.config'),
): string | undefined {
  if (location.kind === 'sqlite') return `${location.file}.key`
  const { hostname, port, pathname, searchParams } = new URL(location.url)
  const host = searchParams.get('host') ?? hostname
  const isSocket = host === '' || host.startsWith('/')
  if (!isSocket && !isLoopbackHost(host)) return undefined
  const name = ['localhost', port || '5432', pathname.slice(1)].join('-').replaceAll('%', '_').replaceAll('/', '_')
  return join(settings, 'licet', 'keys', `${name}.key`)
}
