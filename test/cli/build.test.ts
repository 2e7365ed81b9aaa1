import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = ['build.config.ts', 'package.json', 'tsconfig.json', 'cli', 'server', 'catalog-schema']

let copy: string
const dist = (...names: string[]) => join(copy, 'dist', ...names)
const build = () => execa(process.execPath, ['build.config.ts'], { cwd: copy, reject: false })
const chunks = () => readdirSync(dist('chunks'))
function age(...names: string[]) {
  const long = Date.now() / 1000 - 2 * 60 * 60
  for (const name of names) utimesSync(dist(name), long, long)
}

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'licet-build-'))
  for (const source of sources) cpSync(join(root, source), join(copy, source), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  expect(await build()).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
})

test('chunks stay for an hour from when they are replaced, for processes that started before', async () => {
  const before = chunks()
  age(...before.map((name) => join('chunks', name)))
  mkdirSync(dist('.staging-1'))
  age('.staging-1')
  appendFileSync(join(copy, 'cli/dispatch.ts'), '\nprocess.env.LICET_CHANGED = "1"\n')
  await build()
  expect(chunks()).toEqual(expect.arrayContaining(before))
  expect(chunks().length).toBeGreaterThan(before.length)
  expect(existsSync(dist('.staging-1'))).toBe(false)

  age(...before.map((name) => join('chunks', name)))
  await build()
  expect(chunks()).not.toEqual(expect.arrayContaining(before))
})

test('what is imported and not there fails it, and what was built stays', async () => {
  const before = chunks()
  appendFileSync(join(copy, 'server/kit/mail.ts'), "\nexport const absent = () => import('absent')\n")
  const { exitCode, stderr } = await build()
  expect(exitCode).toBe(1)
  expect(stderr).toContain("Could not resolve 'absent' in server/kit/mail.ts")
  expect(stderr).not.toContain('\u001b')
  expect(chunks()).toEqual(before)
})
