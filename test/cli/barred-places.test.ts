import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../support/licet-binary.ts'

const root = join(import.meta.dirname, '../..')
const nobody = 65534

beforeAll(ensureBuilt)

/** Runs licet where nothing may be written, as somebody whom the file system does not let through. */
async function runBarred(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'licet-barred-'))
  mkdirSync(join(folder, 'home'))
  writeFileSync(join(folder, 'list.yml'), 'saasName: A\n')
  writeFileSync(join(folder, 'kept.db'), '')
  chmodSync(join(folder, 'home'), 0o777)
  chmodSync(folder, 0o555)
  const isRoot = process.getuid?.() === 0
  return execa(process.execPath, [join(root, 'bin/licet.js'), ...args], {
    cwd: folder,
    extendEnv: false,
    env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
    reject: false,
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
}

test.each([
  [['tenant', 'create', 'acme'], 'The database ./licet.db cannot be opened: permission denied in its directory.'],
  [['serve', '--port', '0'], 'The database ./licet.db cannot be opened: permission denied in its directory.'],
])('%j says why the database cannot be opened, and what to do', async (args, said) => {
  const ended = await runBarred(...args)
  expect(ended.stderr).toContain(`Error: ${said}\n  Try: let this user write there, or name another place: --database`)
  expect(ended.exitCode).toBe(1)
})

test('convert says that it cannot write the directory', async () => {
  const ended = await runBarred('catalog', 'convert', 'list.yml', '--from', 'pricing2yaml', '--out', 'out')
  expect(ended.stderr).toBe('Error: Cannot write out: permission denied.')
  expect(ended.exitCode).toBe(1)
})
