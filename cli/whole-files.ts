import {
  access,
  chmod,
  constants,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { systemRefusal } from './ending.ts'
import { Problem } from './problems.ts'

/** The mode of files that hold secrets or licences. */
export const secretMode = 0o600

/**
 * Makes a directory, and those above it that are missing; false when it is there already. Node's own `recursive` never
 * ends below /proc, where ENOENT is said of a directory whose parent is there.
 */
export async function makeDirectory(path: string, mode?: number): Promise<boolean> {
  const isThere = async () => {
    const found = await stat(path).catch((error) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (found && !found.isDirectory()) throw Object.assign(new Error(`${path} is no directory`), { code: 'ENOTDIR' })
    return found !== undefined
  }
  if (await isThere()) return false
  if (dirname(path) !== path) await makeDirectory(dirname(path))
  try {
    await mkdir(path, mode)
    return true
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (await isThere()) return false
    throw error
  }
}

/**
 * Writes a file so that it is whole at every moment: a temporary file beside it, synced, then renamed. A file that was
 * there keeps its mode, and a link keeps pointing at it; a new one gets `mode`, whatever the umask. A device or a pipe
 * (`/dev/stdout`) is written to, not replaced. Raises cli.output, which names the file as people know it (`shown`).
 */
export async function writeWhole(
  path: string,
  data: string | Uint8Array,
  { mode = 0o644, shown = path } = {},
): Promise<void> {
  await makeDirectory(dirname(path)).catch((cause) => refuseWriting(shown, cause))
  const target = await realpath(path).catch(() => path)
  const kept = await stat(path).catch(() => null)
  if (kept && !kept.isFile() && !kept.isDirectory())
    return writeFile(path, data).catch((cause) => refuseWriting(shown, cause))
  const temporary = temporaryName(target)
  try {
    const file = await open(temporary, 'wx', secretMode)
    try {
      await file.writeFile(data)
      await file.sync()
    } finally {
      await file.close()
    }
    await chmod(temporary, kept ? kept.mode & 0o777 : mode)
    await rename(temporary, target)
    await syncDirectory(dirname(target))
  } catch (cause) {
    await rm(temporary, { force: true })
    refuseWriting(shown, cause)
  }
}

/** Has the disk keep what a directory says of its files, where the system can: a secret that is shown once may be in one. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined)
  await directory?.sync().catch(() => undefined)
  await directory?.close()
}

/** A name beside a file that nothing else has. */
export const temporaryName = (path: string) => `${path}.${process.pid}-${process.hrtime.bigint()}.tmp`

/** Raises cli.output when a file cannot be written there, before there is anything that would be lost. */
export async function refuseUnwritable(path: string): Promise<void> {
  try {
    await makeDirectory(dirname(path))
    const found = await stat(resolve(path)).catch(() => null)
    if (found?.isDirectory()) throw Object.assign(new Error(`${path} is a directory`), { code: 'EISDIR' })
    // A pipe or device is written as it is (`writeWhole`).
    if (found && !found.isFile()) return await access(path, constants.W_OK)
    const probe = temporaryName(await realpath(path).catch(() => path))
    await (await open(probe, 'wx', secretMode)).close()
    await rm(probe)
  } catch (cause) {
    refuseWriting(path, cause)
  }
}

/** What a file holds that is to be written; undefined where there is none that can be read, or a pipe or device, which are not read. */
export async function findText(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() ? readFile(path, 'utf8').catch(() => undefined) : undefined
}

/** Raises cli.output for a path that the system does not let be written; anything else as it is. */
export function refuseWriting(path: string, cause: unknown): never {
  if (!(cause instanceof Error && 'code' in cause)) throw cause
  throw new Problem('cli.output', `Cannot write ${path}: ${systemRefusal(String(cause.code))}.`, { cause })
}
