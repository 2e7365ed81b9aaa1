import { execFile } from 'node:child_process'
import { access, chmod, constants, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { migrate } from '../../../server/database/migrate.ts'
import { openDatabase } from '../../../server/database/open.ts'

const run = promisify(execFile)
/** Permissions do not bind root; being immutable does, where the file system and the container allow it. */
const freeze = async (file: string) => {
  await chmod(file, 0o444)
  if (process.getuid?.() === 0) await run('chattr', ['+i', file]).catch(() => undefined)
  return access(file, constants.W_OK).then(
    () => false,
    () => true,
  )
}
const thaw = (file: string) => run('chattr', ['-i', file]).catch(() => undefined)

test('a SQLite file that cannot be written to is refused at the start, not at the first write', async ({ skip }) => {
  const directory = await mkdtemp(join(tmpdir(), 'licet-read-only-'))
  const file = join(directory, 'licet.db')
  const start = async () => {
    const database = openDatabase(`sqlite:${file}`)
    await migrate(database).finally(() => database.close())
  }
  try {
    await start()
    await start()
    skip(!(await freeze(file)), 'no file can be made read-only here')
    await expect(start()).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
    expect(await readdir(directory)).toEqual(['licet.db'])
    await thaw(file)
    await chmod(file, 0o600)
    await start()
  } finally {
    await thaw(file)
    await rm(directory, { recursive: true })
  }
})
