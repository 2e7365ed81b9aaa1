import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import type { Database } from '../../database/database.ts'
import type { DatabaseLocation } from '../../database/database-url.ts'
import { takeName } from '../../kit/named-lock.ts'
import { SealBroken, type Sealer, sealerFor } from '../../kit/sealing.ts'
import { keyFileOf } from './key-file.ts'
import { readMasterKey, weaknessOf } from './master-key-text.ts'
import { findInstalled, installOnce } from './store.ts'

/** The master key is missing, its file damaged, or it is not the one this database was made with; the message is one line for an operator. */
class MasterKeyRefused extends Error {}

const checkName = 'master-key-check'
const checkPlace = `installation/${checkName}`

/**
 * The sealer of a migrated database, its key taken from LICET_MASTER_KEY or else from the database's key file, which is made
 * (mode 0600) on first start; a PostgreSQL on another machine has none. Throws MasterKeyRefused, before anything is served,
 * for another database's key.
 */
export async function openSealer(
  database: Database,
  location: DatabaseLocation,
  masterKey: string | undefined = process.env.LICET_MASTER_KEY,
): Promise<Sealer> {
  const check = await findInstalled(database.read, checkName)
  const sealer = sealerFor(await getMasterKey(database, location, masterKey, check !== undefined))
  const stored = check ?? (await recordCheck(database, sealer))
  try {
    sealer.open(stored, checkPlace)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new MasterKeyRefused(await explainForeignKey(location, masterKey))
  }
  return sealer
}

/** Of two processes that start on a new database together, the first one's value stands. */
async function recordCheck(database: Database, sealer: Sealer): Promise<string> {
  await installOnce(database, checkName, sealer.seal('licet', checkPlace))
  return (await findInstalled(database.read, checkName))!
}

async function getMasterKey(
  database: Database,
  location: DatabaseLocation,
  given: string | undefined,
  isInUse: boolean,
) {
  if (given !== undefined && given.trim() !== '') return readMasterKey(given)
  const file = keyFileOf(location)
  if (file === undefined)
    throw new MasterKeyRefused(
      'LICET_MASTER_KEY is not set: for a PostgreSQL on another machine the master key must be given, such as the output of `openssl rand -base64 32`, the same for every process.',
    )
  if (!isInUse) await provideKeyFile(database, file)
  const text = readKeyFile(file)
  const damage = weaknessOf(text)
  if (damage !== undefined)
    throw new MasterKeyRefused(`The key file ${file} ${damage}: restore it, or set LICET_MASTER_KEY.`)
  return readMasterKey(text)
}

/** What to say of a LICET_MASTER_KEY that is easy to guess, or else of a key file that others may read; undefined where all is well. */
export function doubtMasterKey(
  location: DatabaseLocation,
  given: string | undefined = process.env.LICET_MASTER_KEY,
): string | undefined {
  if (given === undefined || given.trim() === '') return doubtKeyFile(keyFileOf(location))
  const weakness = weaknessOf(given)
  if (weakness === undefined) return undefined
  return `LICET_MASTER_KEY ${weakness}: whoever guesses it opens the secrets of the database; use random text from its beginning, such as the output of \`openssl rand -base64 32\``
}

/** Where the system knows of others. */
function doubtKeyFile(file: string | undefined): string | undefined {
  const found = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
  if (!found || process.platform === 'win32' || (found.mode & 0o077) === 0) return undefined
  return `other users can read or write ${file}, which opens the secrets of the database: chmod 600 it`
}

/** At once: nobody is served yet, and to wait for a file costs a start more than to read it. */
function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (!isAbsent(error)) throw keyFileRefused(file, 'cannot be read', error)
    throw new MasterKeyRefused(
      `The key file ${file} is missing, and without it the secrets in this database do not open: restore it (a copy of a database needs the one of the original, under this name), or set LICET_MASTER_KEY to its content, or to the key that the database was made with.`,
    )
  }
}

/**
 * Makes the file of a database in which nothing is sealed yet when it is absent, or empty as a start that was cut off may
 * have left it, and has it on the disk. Of processes that start together one does so at a time.
 */
async function provideKeyFile(database: Database, file: string): Promise<void> {
  await database.transact(async (tx) => {
    await takeName(tx, 'key-file')
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      if (await isAbsentOrEmpty(file)) await writeKeyFile(file)
      else await syncToDisk(file)
      await syncToDisk(dirname(file))
    } catch (error) {
      throw keyFileRefused(file, 'cannot be made', error)
    }
  })
}

async function isAbsentOrEmpty(file: string): Promise<boolean> {
  try {
    const found = await stat(file)
    return found.isFile() && found.size === 0
  } catch (error) {
    if (!isAbsent(error)) throw error
    return true
  }
}

/** The file is there with its whole content, or not at all. */
async function writeKeyFile(file: string) {
  const temporary = `${file}.tmp`
  // One that was killed may have left it.
  await rm(temporary, { force: true })
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(`${randomBytes(32).toString('base64')}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Raises what says that the disk failed: not every system can open a directory, or sync what is open for reading. */
async function syncToDisk(path: string) {
  const handle = await open(path).catch(() => undefined)
  try {
    await handle?.sync()
  } catch (error) {
    if (['EIO', 'ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle?.close()
  }
}

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

function keyFileRefused(file: string, what: string, cause: unknown): MasterKeyRefused {
  const { errno = 0, message } = cause as NodeJS.ErrnoException
  const why = getSystemErrorMap().get(errno)?.[1] ?? message
  return new MasterKeyRefused(`The key file ${file} ${what} (${why}): mend that, or set LICET_MASTER_KEY.`, { cause })
}

async function explainForeignKey(location: DatabaseLocation, given: string | undefined) {
  const file = keyFileOf(location)
  if (file === undefined)
    return 'This database was made with another master key: set LICET_MASTER_KEY to the one it was made with.'
  const isGiven = given !== undefined && given.trim() !== ''
  if (!isGiven)
    return `This database was made with another master key than the one in ${file}: restore that file, or set LICET_MASTER_KEY to the key it was made with.`
  const hasFile = await stat(file).then(
    () => true,
    () => false,
  )
  return `This database was made with another master key than LICET_MASTER_KEY: ${hasFile ? `unset it to use the key in ${file}` : 'set it to the one it was made with'}.`
}
