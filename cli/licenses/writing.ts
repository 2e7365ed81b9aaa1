import { existsSync } from 'node:fs'
import { Problem } from '../problems.ts'
import { secretMode, writeWhole } from '../whole-files.ts'

/** Raises cli.output when a file is there already, before anything is asked of a server; nothing is replaced unless it is told to be. */
export function refuseExisting(path: string | undefined, isReplaced: boolean): void {
  if (path === undefined || isReplaced || !existsSync(path)) return
  throw new Problem('cli.output', `${path} is there already; nothing was written.`, { hint: '--force replaces it' })
}

/** Writes a licence or what is as secret: whole, and readable by the user alone unless the file that was there is not. */
export const writeLicense = (path: string, data: string | Uint8Array) => writeWhole(path, data, { mode: secretMode })
