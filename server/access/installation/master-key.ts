import { randomBytes } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/database.ts'
import type { DatabaseLocation } from '../../database/database-url.ts'
import { SealBroken, type Sealer, sealerFor } from '../../kit/sealing.ts'
import { readMasterKey } from './master-key-text.ts'

/** The master key is missing, too weak, or not the one this database was made with; the message is one line for an operator. */
export class MasterKeyRefused extends Error {}

const checkName = 'master-key-check'
const checkPlace = `installation/${checkName}`

/**
 * The sealer of a migrated database, its key taken from LICET_MASTER_KEY or, on SQLite, from the file `<database>.key`,
 * which is made (mode 0600) on first start. Throws MasterKeyRefused, before anything is served, for another database's key.
 */
export async function openSealer(
  database: Database,
  location: DatabaseLocation,
  masterKey: string | undefined = process.env.LICET_MASTER_KEY,
): Promise<Sealer> {
  const check = await findCheck(database)
  const sealer = sealerFor(await getMasterKey(location, masterKey, check !== undefined))
  const stored = check ?? (await recordCheck(database, sealer))
  try {
    sealer.open(stored, checkPlace)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new MasterKeyRefused(await explainForeignKey(location, masterKey))
  }
  return sealer
}

async function findCheck(database: Database): Promise<string | undefined> {
  const found = await database.read
    .selectFrom('installation')
    .select('value')
    .where('name', '=', checkName)
    .executeTakeFirst()
  return found?.value
}

/** Of two processes that start on a new database together, the first one's value stands. */
async function recordCheck(database: Database, sealer: Sealer): Promise<string> {
  await database.transact((tx) =>
    tx
      .insertInto('installation')
      .values({ name: checkName, value: sealer.seal('licet', checkPlace) })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
  return (await findCheck(database))!
}

async function getMasterKey(location: DatabaseLocation, given: string | undefined, isInUse: boolean) {
  if (given !== undefined && given.trim() !== '') {
    const read = readMasterKey(given)
    if ('refused' in read) throw new MasterKeyRefused(`LICET_MASTER_KEY ${read.refused}`)
    return read.key
  }
  if (location.kind === 'postgres')
    throw new MasterKeyRefused(
      'LICET_MASTER_KEY is not set: on PostgreSQL the master key must be given, such as the output of `openssl rand -base64 32`, the same for every process.',
    )
  const file = keyFileOf(location)
  const read = readMasterKey(isInUse ? await readKeyFile(file) : await getKeyFile(file))
  if ('refused' in read) throw new MasterKeyRefused(`The key file ${file} ${read.refused}`)
  return read.key
}

const keyFileOf = (location: DatabaseLocation & { kind: 'sqlite' }) => `${location.file}.key`

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new MasterKeyRefused(
      `The key file ${file} is missing, and without it the secrets in this database do not open: restore it, or set LICET_MASTER_KEY to its content.`,
    )
  }
}

/** Makes the file when it is absent; a file that another process has just made may take a moment to have its content. */
async function getKeyFile(file: string): Promise<string> {
  try {
    await writeDurably(file, `${randomBytes(32).toString('base64')}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  for (let attempt = 0; attempt < 20 && (await stat(file)).size === 0; attempt++) await sleep(50)
  return readKeyFile(file)
}

async function writeDurably(file: string, content: string) {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // Not every system can open a directory; the file itself is safe either way.
  const directory = await open(dirname(file)).catch(() => undefined)
  await directory?.sync().catch(() => undefined)
  await directory?.close()
}

async function explainForeignKey(location: DatabaseLocation, given: string | undefined) {
  const isGiven = given !== undefined && given.trim() !== ''
  if (location.kind === 'postgres')
    return 'This database was made with another master key: set LICET_MASTER_KEY to the one it was made with.'
  const file = keyFileOf(location)
  if (!isGiven) return `This database was made with another master key than the one in ${file}: restore that file.`
  const hasFile = await stat(file).then(
    () => true,
    () => false,
  )
  return `This database was made with another master key than LICET_MASTER_KEY${hasFile ? `: unset it to use the key in ${file}` : ''}.`
}
