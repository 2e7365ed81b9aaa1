import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../support/licet-binary.ts'

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
  await ensureBuilt()
  for (const source of [...sources, 'dist']) cpSync(join(root, source), join(copy, source), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})

test('chunks stay for an hour from when they are replaced, for processes that started before', async () => {
  const before = readFileSync(dist('.built'), 'utf8')
    .split('\n')
    .map((file) => basename(file))
  age(...before.map((name) => join('chunks', name)))
  mkdirSync(dist('.staging-1'))
  age('.staging-1')
  appendFileSync(join(copy, 'cli/dispatch.ts'), '\nprocess.env.LICET_CHANGED = "1"\n')
  expect(await build()).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
  expect(chunks()).toEqual(expect.arrayContaining(before))
  expect(chunks().length).toBeGreaterThan(before.length)
  expect(existsSync(dist('.staging-1'))).toBe(false)

  const current = readFileSync(dist('.built'), 'utf8')
  const replaced = before.filter((name) => !current.includes(name))
  expect(replaced).not.toEqual([])
  const [old, young] = [replaced.slice(1), replaced.slice(0, 1)]
  expect(old).not.toEqual([])
  age(...old.map((name) => join('chunks', name)))
  await build()
  expect(chunks().filter((name) => replaced.includes(name))).toEqual(young)
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
