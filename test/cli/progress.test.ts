import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { largeCatalog } from '../support/large-catalog.ts'
import { freshHome, licet } from '../support/licet-binary.ts'
import { hasTerminal, onTerminal } from '../support/terminal.ts'
import { json, type StandIn, standIn } from './tenant-stand-in.ts'

const home = freshHome()
const summary = { create: 0, update: 0, unchanged: 1, onlyHere: 0, errors: 0, warnings: 0 }
let server: StandIn
let answersAfterMs = 0

beforeAll(async () => {
  server = await standIn({
    'POST /trpc/admin.catalog.compare': (_, out) => {
      const data = { environmentRevision: '1', summary, items: [], onlyHere: [], errors: [], warnings: [] }
      setTimeout(() => json(out, 200, { result: { data } }), answersAfterMs)
    },
  })
  writeFileSync(join(home.directory, 'small.yaml'), 'products:\n  - productCode: A\n    name: A\n')
  writeFileSync(join(home.directory, 'large.json'), JSON.stringify(largeCatalog(9000)))
})
afterAll(() => server.close())

const diff = ['catalog', 'diff', 'small.yaml']

describe('without a terminal', () => {
  test('a phase on a server is one line on stderr, and stdout is the answer alone', async () => {
    const ended = await licet([...diff, '--json'], { home, env: server.variables })
    expect(ended.stderr).toMatch(/^Comparing with 127\.0\.0\.1:\d+…\n$/)
    expect(ended.json().summary).toEqual(summary)
  })

  test.each([
    ['the large one is one line', 'large.json', 'Checking large.json…\n'],
    ['the small one is none', 'small.yaml', ''],
  ])('of two catalogs, %s', async (_name, file, expected) => {
    const ended = await licet(['catalog', 'validate', file, '--json'], { home })
    expect(ended.json().valid).toBe(true)
    expect(ended.stderr).toBe(expected)
  })
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test('a phase of half a second is told while it lasts, and taken back', async () => {
    answersAfterMs = 1500
    const run = await onTerminal(diff, { home, env: server.variables, columns: 40, stdoutTo: 'out.txt' })
    await run.shows(/^Comparing with 127\.0\.0\.1:\d+…( 1 s)?$/m)
    expect((await run.ended).exitCode).toBe(0)
    expect(run.screen.text()).not.toContain('Comparing')
  })

  // A machine that is very busy makes it a longer one.
  test('a shorter one is not', { retry: 2 }, async () => {
    answersAfterMs = 0
    const run = await onTerminal(diff, { home, env: server.variables })
    expect((await run.ended).exitCode).toBe(0)
    expect(run.written()).toContain('Nothing to do: 1 item is the same.')
    expect(run.written()).not.toContain('Comparing')
  })

  test('work that does not let go tells of itself, within 40 columns', async () => {
    const run = await onTerminal(['catalog', 'validate', 'large.json'], { home, columns: 40 })
    await run.shows('Checking large.json…')
    await run.ended
    expect(run.screen.text().replace('\n', '').trim()).toMatch(/^large\.json: nothing wrong \(\d+ items in 1 file\)\.$/)
  })

  test('a terminal that cannot take a line back gets one line a phase', async () => {
    const run = await onTerminal(diff, { home, env: { ...server.variables, TERM: 'dumb' } })
    await run.ended
    expect(run.written()).toMatch(/^Comparing with 127\.0\.0\.1:\d+…\r\n/)
    expect(run.written()).not.toContain('\u001b')
  })
})
