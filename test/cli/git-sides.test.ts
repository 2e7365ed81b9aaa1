import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshHome, licet } from '../support/licet-binary.ts'

const home = freshHome()
const repository = join(home.directory, 'shop')
const product = (name: string) => `products:\n  - productCode: A\n    name: ${name}\n`

function put(path: string, text: string, root = repository) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const git = (args: string[], cwd = repository) =>
  execa('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd,
    extendEnv: false,
    env: { HOME: home.directory, PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1' },
  })
async function commit(message: string) {
  await git(['add', '-A'])
  await git(['commit', '-q', '-m', message])
}
const run = (args: string[], more: { cwd?: string; env?: Record<string, string> } = {}) =>
  licet(['catalog', ...args], { home, cwd: repository, ...more })
const diff = (from: string, to: string, more: { cwd?: string; env?: Record<string, string> } = {}) =>
  run(['diff', '--from', from, '--to', to], more)

beforeAll(async () => {
  mkdirSync(repository)
  await git(['init', '-q', '-b', 'main'])
  put('catalog/a.yaml', product('First'))
  put('catalog/licet.yaml', 'catalog: .\n')
  put('catalog/.draft/b.yaml', 'nonsense: [\n')
  put('catalog/node_modules/c.yaml', 'nonsense: [\n')
  put('catalog/README.md', 'nonsense')
  put('sub/kept.txt', '')
  put('odd name/ü.yaml', product('Odd'))
  await commit('first')
  await git(['tag', 'v1'])
  await git(['tag', '-a', 'v1-annotated', '-m', 'annotated'])
  put('catalog/a.yaml', product('Second'))
  await commit('second')
  await git(['branch', 'feature/prices'])
  put('catalog/a.yaml', product('Third'))
  await commit('third')
  put('catalog/a.yaml', product('Not committed'))
})

describe('a side of a git revision', () => {
  test.each([
    ['git:v1:catalog', 'First'],
    ['git:v1-annotated:catalog', 'First'],
    ['git:HEAD~2:catalog/', 'First'],
    ['git:feature/prices:catalog', 'Second'],
    ['git:main:catalog', 'Third'],
    ['git:main:catalog/a.yaml', 'Third'],
  ])('%s is read without a checkout', async (side, name) => {
    const ended = await diff(side, 'catalog')
    expect(ended.stdout).toContain(`name    "${name}" → "Not committed"`)
    expect(ended.stdout).toContain('~ product:A    catalog/a.yaml:2')
    expect(ended.exitCode).toBe(0)
  })

  test('is named with its revision in messages, and can be either side', async () => {
    const ended = await diff('catalog', 'git:main:catalog')
    expect(ended.stdout).toContain('catalog → git:main:catalog ')
    expect(ended.stdout).toContain('~ product:A    git:main:catalog/a.yaml:2')
    expect((await diff('git:v1:catalog', 'git:v1:catalog')).stdout).toMatch(/Nothing to do: 1 item/)
  })

  test('is taken from the working directory when its path starts with a dot, and from the root otherwise', async () => {
    const cwd = join(repository, 'catalog')
    expect((await diff('git:main:.', 'a.yaml', { cwd })).stdout).toContain('"Third" → "Not committed"')
    expect((await diff('git:main:./a.yaml', 'a.yaml', { cwd })).stdout).toContain('"Third" → "Not committed"')
    expect((await diff('git:main:../catalog', 'a.yaml', { cwd })).stdout).toContain('"Third" → "Not committed"')
    const missed = await diff('git:main:a.yaml', 'a.yaml', { cwd })
    expect(missed.stderr).toMatch(/no file or directory "a\.yaml" in revision "main"[\s\S]*Try: git:main:\.\/a\.yaml/)
    expect(missed.exitCode).toBe(1)
  })

  test('can be checked, from a folder whose name has blanks and letters of other alphabets, too', async () => {
    const ended = await run(['validate', 'git:main:odd name'])
    expect(ended.stdout).toBe('git:main:odd name: nothing wrong (1 item in 1 file).\n')
    await git(['checkout', '-q', '-b', 'broken'])
    put('broken/x.yaml', 'products:\n  - productCode: A\n    nmae: x\n')
    await git(['add', 'broken'])
    await git(['commit', '-q', '-m', 'broken'])
    await git(['checkout', '-q', 'main'])
    const broken = await run(['validate', 'git:broken:broken'])
    expect(broken.stdout).toMatch(/^git:broken:broken\/x\.yaml:3:5 error: .*"nmae"/)
    expect(broken.exitCode).toBe(1)
  })

  test('does not follow links out of the catalog, and refuses submodules', async () => {
    await git(['checkout', '-q', '-b', 'links'])
    put('outside/x.yaml', product('Outside'))
    put('linked/a.yaml', product('Here'))
    put('linked/notes.txt', 'tags:\n  - { scope: Product, name: Linked }\n')
    symlinkSync('a.yaml', join(repository, 'linked/again.yaml'))
    symlinkSync('notes.txt', join(repository, 'linked/notes.yaml'))
    await git(['add', 'linked', 'outside'])
    await git(['commit', '-q', '-m', 'links inside'])
    expect((await run(['validate', 'git:links:linked'])).stdout).toMatch(/nothing wrong \(2 items in 2 files\)/)
    symlinkSync('../outside/x.yaml', join(repository, 'linked/out.yaml'))
    symlinkSync('../outside', join(repository, 'linked/folder'))
    symlinkSync('nowhere.yaml', join(repository, 'linked/dead.yaml'))
    symlinkSync('../catalog/README.md', join(repository, 'linked/README.md'))
    await git(['add', 'linked'])
    await git([
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${(await git(['rev-parse', 'HEAD'])).stdout},linked/sub`,
    ])
    await git(['commit', '-q', '-m', 'links'])
    const { findings } = (await run(['validate', 'git:links:linked', '--json'])).json()
    expect(findings.map(({ file, message }: Record<string, string>) => `${file} ${message}`)).toEqual([
      'git:links:linked/dead.yaml It is a link that leads nowhere; remove it.',
      'git:links:linked/folder It is a link out of the catalog directory; copy the file into it.',
      'git:links:linked/out.yaml It is a link out of the catalog directory; copy the file into it.',
      'git:links:linked/sub It is a submodule; its files are not here.',
    ])
    expect((await run(['validate', 'git:links:linked/out.yaml'])).stderr).toMatch(/"linked\/out\.yaml" is a link/)
    expect((await run(['validate', 'git:links:linked/sub'])).stderr).toMatch(/"linked\/sub" is a submodule/)
    await git(['checkout', '-q', '-f', 'main'])
    put('catalog/a.yaml', product('Not committed'))
  })
})

describe('what git does not have is one clear cause', () => {
  test.each([
    ['git:no-such:catalog', /There is no revision "no-such" in this git repository\.\n/],
    ['git:main:no/such', /There is no file or directory "no\/such" in revision "main"\.\n/],
    ['git:main:catalog/a.yaml/b', /There is no file or directory/],
    ['git:main:../../x', /outside of the git repository/],
    ['git:main:sub', /There is no catalog file in "git:main:sub"\.\n/],
  ])('%s', async (side, message) => {
    const ended = await diff(side, 'catalog')
    expect(ended.stderr).toMatch(message)
    expect(ended.stdout).toBe('')
    expect(ended.exitCode).toBe(1)
  })

  test('a revision that reads like an option is wrong usage', async () => {
    const ended = await diff('git:--output=/tmp/x:catalog', 'catalog')
    expect(ended.stderr).toMatch(/a revision starts with no dash/)
    expect(ended.exitCode).toBe(64)
  })

  test('a directory that is in no repository, and a machine without git', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'licet-no-git-'))
    put('a.yaml', product('X'), elsewhere)
    const outside = await diff('git:main:catalog', 'a.yaml', {
      cwd: elsewhere,
      env: { GIT_CEILING_DIRECTORIES: tmpdir() },
    })
    expect(outside.stderr).toBe('Error: The working directory is not in a git repository.\n')
    expect(outside.exitCode).toBe(1)
    const without = await diff('git:main:catalog', 'catalog', { env: { PATH: elsewhere } })
    expect(without.stderr).toMatch(/^Error: git is not installed/)
    expect(without.exitCode).toBe(1)
  })

  test('a shallow clone, as CI makes one, names the depth of the fetch', async () => {
    const shallow = join(home.directory, 'shallow')
    await git(['clone', '-q', '--depth', '1', '--branch', 'main', `file://${repository}`, shallow], home.directory)
    const ended = await diff('git:v1:catalog', 'git:main:catalog', { cwd: shallow })
    expect(ended.stderr).toMatch(/no revision "v1"[^\n]*shallow clone[\s\S]*Try: .*fetch-depth: 0/)
    expect(ended.exitCode).toBe(1)
  })

  test('a branch that only the remote has is named in full', async () => {
    const clone = join(home.directory, 'clone')
    await git(['clone', '-q', '--branch', 'main', `file://${repository}`, clone], home.directory)
    const ended = await diff('git:feature/prices:catalog', 'git:main:catalog', { cwd: clone })
    expect(ended.stderr).toMatch(/Try: git:origin\/feature\/prices:catalog\n/)
    const named = await diff('git:origin/feature/prices:catalog', 'git:main:catalog', { cwd: clone })
    expect(named.stdout).toContain('"Second" → "Third"')
  })

  test('whatever git says on the way is told in its words', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'licet-odd-git-'))
    put('git', '#!/bin/sh\ncat >/dev/null\necho "fatal: the disk is on fire" >&2\nexit 128\n', elsewhere)
    chmodSync(join(elsewhere, 'git'), 0o755)
    const ended = await diff('git:main:catalog', 'catalog', { env: { PATH: `${elsewhere}:${process.env.PATH}` } })
    expect(ended.stderr).toBe('Error: git refused: the disk is on fire\n')
    expect(ended.exitCode).toBe(1)
  })
})
