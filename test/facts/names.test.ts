import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourcesIn } from './imports.ts'

const files = ['catalog-schema', 'server', 'cli', 'test', 'examples'].flatMap(sourcesIn)

test('a file is named after what it holds, not after a kind that would fit every room', () => {
  const kinds = /^(utils?|helpers?|types|services?|managers?|commons?|misc|shared|constants|functions|lib|base)$/
  const broken = files.filter((file) =>
    file
      .replace(/(\.test)?\.ts$/, '')
      .split('/')
      .slice(1)
      .some((name) => kinds.test(name) || /-(utils?|helpers?|service|manager)$/.test(name)),
  )
  expect(broken, 'such a name says that the rule has not been found yet').toEqual([])
})

test('file and folder names are kebab-case', () => {
  expect(files.filter((file) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.test|\.config|\.d)?\.ts$/.test(file))).toEqual([])
})

test('no file is over 400 lines', () => {
  const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1
  expect(files.filter((file) => lines(file) > 400).map((file) => `${basename(file)} has ${lines(file)} lines`)).toEqual(
    [],
  )
})
