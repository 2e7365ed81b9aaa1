import { existsSync } from 'node:fs'
import { Problem } from '../problems.ts'
import { refuseUnwritable, secretMode, writeWhole } from '../whole-files.ts'

/**
 * Raises cli.output, before anything is asked of a server, when a file cannot be written or is there already (nothing is
 * replaced unless it is told to be), and cli.usage for `-`, which is no file's name anywhere else.
 */
export async function refuseFile(path: string | undefined, isReplaced: boolean): Promise<void> {
  if (path === undefined) return
  if (path === '-') throw new Problem('cli.usage', '"-" is no file here.', { hint: 'name one, such as ./-' })
  if (!isReplaced && existsSync(path))
    throw new Problem('cli.output', `${path} is there already; nothing was written.`, { hint: '--force replaces it' })
  await refuseUnwritable(path)
}

/** Writes a licence or what is as secret: whole, and readable by the user alone unless the file that was there is not. */
export const writeLicense = (path: string, data: string | Uint8Array) => writeWhole(path, data, { mode: secretMode })
