import { describe, expect, test } from 'vitest'
import { isGitSide, pathInRepository, readGitSide, shownGitName } from '../../cli/sides/git-side.ts'

describe('git:REV:path', () => {
  test.each([
    ['git:main:catalog', 'main', 'catalog'],
    ['git:main:', 'main', ''],
    ['git:HEAD~1:./catalog', 'HEAD~1', './catalog'],
    ['git:feature/prices:a/b.yaml', 'feature/prices', 'a/b.yaml'],
    ['git:v1.0^{}:odd:name', 'v1.0^{}', 'odd:name'],
    ['git:HEAD@{1 day ago}:catalog', 'HEAD@{1 day ago}', 'catalog'],
  ])('%s is a revision and a path', (text, revision, path) => {
    expect(isGitSide(text)).toBe(true)
    expect(readGitSide(text)).toEqual({ revision, path })
  })

  test.each([
    ['git:main', /names no path/],
    ['git:', /names no revision/],
    ['git::catalog', /names no revision/],
    ['git:--upload-pack=x:catalog', /starts with no dash/],
    ['git:-n1:catalog', /starts with no dash/],
    ['git:main\nHEAD:catalog', /line break/],
    ['git:main:cata\0log', /line break/],
    ['git:main:cata\nlog', /line break/],
  ])('%j is wrong usage', (text, message) => {
    expect(() => readGitSide(text)).toThrow(message)
    expect(() => readGitSide(text)).toThrow(expect.objectContaining({ exitCode: 64 }))
  })

  test.each(['./git:main:catalog', 'main:catalog', 'GIT:main:x'])('%s is none', (text) => {
    expect(isGitSide(text)).toBe(false)
  })
})

test.each([
  ['catalog', 'sub/', 'catalog'],
  ['catalog/', '', 'catalog'],
  ['', 'sub/', ''],
  ['./', 'sub/', 'sub'],
  ['.', '', ''],
  ['./catalog', 'sub/deep/', 'sub/deep/catalog'],
  ['../catalog', 'sub/', 'catalog'],
  ['..', 'sub/', ''],
  ['../x', '', undefined],
  ['../../..', 'sub/', undefined],
  ['.hidden/x', 'sub/', '.hidden/x'],
])('the path %j, asked for in %j, is %j from the root of the repository', (path, folder, expected) => {
  expect(pathInRepository(path, folder)).toBe(expected)
})

test.each([
  ['git:main:catalog', 'git:main:catalog/a/x.yaml'],
  ['git:main:catalog/', 'git:main:catalog/a/x.yaml'],
  ['git:main:', 'git:main:a/x.yaml'],
  ['git:main:.', 'git:main:./a/x.yaml'],
])('a file below %s is shown as git show takes it', (text, expected) => {
  expect(shownGitName(text, 'a/x.yaml')).toBe(expected)
})

test('what is said of a directory itself is shown with its own name', () => {
  expect(shownGitName('git:main:catalog', '.')).toBe('git:main:catalog')
})
