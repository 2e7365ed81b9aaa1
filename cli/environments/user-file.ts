import { chmod, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { directoryLock, whileLocked } from '../locks.ts'
import { Problem } from '../problems.ts'
import { makeDirectory, secretMode, writeWhole } from '../whole-files.ts'
import { type Environment, environmentFrom } from './environment.ts'

/** What a user has set up: environments by name, and the one in use. */
export interface UserEnvironments {
  current: string | null
  environments: Record<string, Environment>
}

/** `$XDG_CONFIG_HOME/licet/environments.json`; a path that is not absolute is to be ignored (XDG Base Directory 0.8). */
export function userFilePath(variables: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: given = '', HOME: home } = variables
  const config = isAbsolute(given) ? given : join(home || homedir(), '.config')
  return join(config, 'licet', 'environments.json')
}

/** The user's environments; none when there is no file. Raises cli.environment when others could read or write the file. */
export async function readUserEnvironments(): Promise<UserEnvironments> {
  const path = userFilePath()
  await refuseShared(dirname(path), '700')
  if (!(await refuseShared(path, '600'))) return { current: null, environments: {} }
  const text = await readFile(path, 'utf8')
  let parsed: { current?: unknown; environments?: unknown }
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Problem('cli.environment', `${path} is not JSON.`, {
      hint: 'mend it, or remove it and add the environments again',
    })
  }
  const environments = typeof parsed?.environments === 'object' && parsed.environments ? parsed.environments : {}
  return {
    current: typeof parsed?.current === 'string' ? parsed.current : null,
    environments: Object.fromEntries(
      Object.entries(environments).map(([name, value]) => [
        name,
        environmentFrom(value, `${path}: environment "${name}"`),
      ]),
    ),
  }
}

/** Changes the user's environments as they are then, one command at a time; answers them as they are now. */
export async function changeUserEnvironments(change: (held: UserEnvironments) => void): Promise<UserEnvironments> {
  await makeUserDirectory(dirname(userFilePath()))
  return whileLocked(directoryLock(dirname(userFilePath())), userFilePath(), async () => {
    const held = await readUserEnvironments()
    change(held)
    await writeUserEnvironments(held)
    return held
  })
}

/** Writes the user's environments whole, readable by the user alone. */
export async function writeUserEnvironments(environments: UserEnvironments, path = userFilePath()): Promise<void> {
  await makeUserDirectory(dirname(path))
  await writeWhole(path, `${JSON.stringify(environments, null, 2)}\n`, { mode: secretMode })
}

async function makeUserDirectory(directory: string): Promise<void> {
  if (await makeDirectory(directory, 0o700)) await chmod(directory, 0o700)
  await refuseShared(directory, '700')
}

/** Whether the path exists; what holds secrets must belong to the user, and be closed to everybody else. */
async function refuseShared(path: string, mode: string): Promise<boolean> {
  const found = await stat(path).catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  if (!found) return false
  if (process.platform === 'win32') return true
  if (found.mode & 0o077) {
    const message = `${path} holds client secrets, and other users can read or write it (mode ${(found.mode & 0o777).toString(8)}).`
    throw new Problem('cli.environment', message, {
      hint: `chmod ${mode} ${path} (and rotate the secrets if somebody else may have read them)`,
    })
  }
  const user = process.getuid?.()
  if (user !== undefined && found.uid !== user) {
    throw new Problem('cli.environment', `${path} belongs to another user, who could have put anything in it.`)
  }
  return true
}
