import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../support/licet-binary.ts'

const binary = join(import.meta.dirname, '../../bin/licet.js')

beforeAll(ensureBuilt)

/** Runs licet in a directory of its own that holds one file, `list.yml`. */
async function run(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'licet-barred-'))
  writeFileSync(join(folder, 'list.yml'), 'saasName: A\n')
  const env = { PATH: process.env.PATH, HOME: folder }
  return execa(process.execPath, [binary, ...args], { cwd: folder, extendEnv: false, env, reject: false })
}

test.each([
  ['tenant', 'create', 'acme'],
  ['serve', '--port', '0'],
])('%s says why the database cannot be opened', async (...args) => {
  const ended = await run(...args.filter((arg) => arg !== undefined), '--database', 'sqlite:.')
  expect(ended.stderr).toContain('Error: The database . cannot be opened: it is a directory.')
  expect(ended.exitCode).toBe(1)
})

test('convert says that it cannot write the directory', async () => {
  const ended = await run('catalog', 'convert', 'list.yml', '--from', 'pricing2yaml', '--out', 'list.yml/out')
  expect(ended.stderr).toBe('Error: Cannot write list.yml/out: a part of the path is not a directory.')
  expect(ended.exitCode).toBe(1)
})
