import { chmod, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemRefusal } from './ending.ts'
import { Problem } from './problems.ts'

/** The mode of files that hold secrets or licences. */
export const secretMode = 0o600

/**
 * Writes a file so that it is whole at every moment: a temporary file beside it, synced, then renamed. A file that was
 * there keeps its mode, and a link keeps pointing at it; a new one gets `mode`, whatever the umask. Raises cli.output.
 */
export async function writeWhole(path: string, data: string | Uint8Array, { mode = 0o644 } = {}): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const target = await realpath(path).catch(() => path)
  const kept = await stat(target).catch(() => null)
  const temporary = `${target}.${process.pid}-${process.hrtime.bigint()}.tmp`
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
  } catch (cause) {
    await rm(temporary, { force: true })
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    throw new Problem('cli.output', `Cannot write ${path}: ${systemRefusal(String(cause.code))}.`, { cause })
  }
}
