import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { problems } from '../../server/vocabulary/problems.ts'
import { expectCheckedIn } from './checked-in.ts'
import { root, sourcesIn } from './imports.ts'

/** Listed before anything answers with it, and what will. */
const comingLater: Record<string, string> = {}

/** The sources that can refuse; a contract only announces that its procedure does, the reference repeats it. */
const refusing = ['server', 'catalog-schema']
  .flatMap(sourcesIn)
  .filter((file) => !/^server\/vocabulary\/|^server\/docs\/|\/contract\.ts$/.test(file))
const said = new Map<string, string[]>()
for (const file of refusing)
  for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(
    /'((?:request|auth|license|catalog|usage|offline|feedback|webhook|server)\.[a-z_]+)'/g,
  ))
    said.set(name!, [...(said.get(name!) ?? []), file])

test('the problems are the checked-in ones', async () => {
  await expectCheckedIn(
    'problems',
    Object.entries(problems).map(([codeName, [code, status]]) => ({ code, codeName, status })),
  )
})

test('everything that the server refuses with is listed', () => {
  const thrown = [...new Set(refusing.flatMap(problemsThrownIn))]
  expect(thrown.length).toBeGreaterThan(10)
  expect(thrown.filter((name) => !Object.hasOwn(problems, name))).toEqual([])
})

test('everything listed can happen: it is said somewhere that refuses', () => {
  const unsaid = Object.keys(problems).filter((name) => !said.has(name) && !(name in comingLater))
  expect(unsaid, 'nothing answers with these: take them off the list, or say in comingLater what will').toEqual([])
  expect(
    Object.keys(comingLater).filter((name) => said.has(name)),
    'answered by now: take them off comingLater',
  ).toEqual([])
})

test('codes and code names are each used once, and codes stay in the range of their family', () => {
  const codes = Object.values(problems).map(([code]) => code)
  expect(new Set(codes).size).toBe(codes.length)
  const families: Record<string, [number, number]> = {
    request: [1001, 1099],
    auth: [1101, 1199],
    license: [2000, 2999],
    catalog: [3001, 3999],
    usage: [4001, 4999],
    offline: [5001, 5999],
    feedback: [6001, 6999],
    webhook: [7001, 7999],
    server: [9000, 9999],
  }
  const strayed = Object.entries(problems).filter(([name, [code]]) => {
    const [from, to] = families[name.split('.')[0]!] ?? [0, 0]
    return code < from || code > to
  })
  expect(strayed.map(([name]) => name)).toEqual([])
})

function problemsThrownIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/new Problem\(\s*'([^']+)'/g)].map(([, name]) => name!)
}
