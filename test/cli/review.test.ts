import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshHome, type Home, licet } from '../support/licet-binary.ts'
import { hasTerminal, onTerminal, type TerminalOptions } from '../support/terminal.ts'
import { json, type StandIn, standIn } from './tenant-stand-in.ts'

const key = { up: '\u001b[A', down: '\u001b[B', pageDown: '\u001b[6~', end: '\u001b[F', escape: '\u001b' }
const hostile = '\u001b[31m日本語のとても長い名前 \u202e'

const snapshot = {
  formatVersion: '1.0',
  products: [
    { productCode: 'PRO', name: hostile },
    { productCode: 'NEW', name: 'Brand new', tags: ['Cloud'] },
  ],
  tags: [{ scope: 'Product', name: 'Cloud' }],
}
const items = [
  { kind: 'tag', key: 'tag:Product/Cloud', action: 'create', fingerprint: null },
  {
    kind: 'product',
    key: 'product:PRO',
    action: 'update',
    changes: [
      { path: '/name', before: 'Old', after: hostile },
      { path: '/description', before: 'A text. '.repeat(30), after: `${'A text. '.repeat(29)}The end.` },
    ],
    fingerprint: 'sha256:1',
    affects: { entitlements: 212 },
  },
  { kind: 'product', key: 'product:NEW', action: 'create', fingerprint: null },
]
const report = (of: object[]) => ({
  formatVersion: '1.0',
  environmentRevision: '418',
  summary: { create: of.length - 1, update: 1, unchanged: 0, onlyHere: 1, errors: 0, warnings: 0 },
  items: of,
  onlyHere: [{ kind: 'tag', key: 'tag:Product/legacy' }],
  errors: [],
  warnings: [],
})

describe.skipIf(!hasTerminal)('a promotion on a terminal', () => {
  let server: StandIn
  let home: Home
  let shown: object[] = items
  let isHanging = false
  const applied: unknown[] = []

  beforeAll(async () => {
    server = await standIn({
      'GET /trpc/admin.catalog.export': (_, out) => json(out, 200, { result: { data: snapshot } }),
      'POST /trpc/admin.catalog.compare': (_, out) => json(out, 200, { result: { data: report(shown) } }),
      'POST /trpc/admin.catalog.apply': (asked, out) => {
        applied.push(JSON.parse(asked.body))
        if (isHanging) return
        json(out, 200, { result: { data: { importId: 'i-1', ...report(shown), environmentRevision: '419' } } })
      },
    })
    home = freshHome()
    const input = server.variables.LICET_CLIENT_SECRET ?? ''
    for (const [name, host, ...more] of [
      ['staging', '127.0.0.1'],
      ['production', 'localhost'],
      ['guarded', 'localhost', '--protected'],
    ] as const) {
      const url = server.url.replace('127.0.0.1', host)
      const args = ['env', 'add', name, '--url', url, '--client-id', 'cli ent:1', '--client-secret-file', '-', ...more]
      expect((await licet(args, { home, input })).exitCode).toBe(0)
    }
  })
  afterAll(() => server.close())

  async function promote({ to = 'production', ...options }: TerminalOptions & { to?: string } = {}) {
    applied.length = 0
    return onTerminal(['catalog', 'promote', '--from', 'staging', '--to', to], { home, ...options })
  }
  async function review(options: Parameters<typeof promote>[0] = {}) {
    const run = await promote(options)
    await run.shows('q leave')
    return run
  }

  test('is listed on 80 columns and 24 rows, says whom it touches, and opens to its fields', async () => {
    const run = await review()
    expect(run.screen.isAlternate).toBe(true)
    expect(run.screen.text()).toMatch(
      /^Promote staging to production \(at revision 418\)\n2 to create, 1 to update \(touches 212 live entitlements\)\n/,
    )
    expect(run.screen.text()).toMatch(/^> \+ tag:Product\/Cloud +new$/m)
    expect(run.screen.text()).toMatch(/^ {2}~ product:PRO +touches 212 live entitlements, 2 fields$/m)
    await run.press(key.down, '\r')
    await run.shows('The end.')
    expect(run.screen.text()).toContain('"Old" → "\\u001b[31m日本語のとても長い名前 \\u{202e}"')
    await run.press('q')
    await run.ended
  })

  test('shows the fields of what is new', async () => {
    const run = await review()
    await run.press('jj', '\r')
    await run.shows(/name +"Brand new"/)
    expect(run.screen.text()).toMatch(/^ +tags +\["Cloud"\]$/m)
    await run.press('q')
    await run.ended
  })

  test('says without colour what it says with colours', async () => {
    const sgr = (text: string) => text.split('\u001b').filter((part) => /^\[[\d;]*m/.test(part)).length
    const frames = []
    for (const variable of ['NO_COLOR', 'FORCE_COLOR']) {
      const run = await review({ env: { [variable]: '1' } })
      frames.push(run.screen.text())
      await run.press('q')
      frames.push(sgr((await run.ended).written) > 0)
    }
    expect(frames).toEqual([frames[0], false, frames[0], true])
  })

  test.each([
    ['q', 'q'],
    ['Esc', key.escape],
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
    ['Ctrl-D in one go with another key', 'k\u0004'],
  ])('is left with %s: nothing was changed, and the terminal is as it was', async (_name, leave) => {
    const run = await review()
    await run.press('j', leave)
    const { exitCode, settings } = await run.ended
    expect(exitCode).toBe(1)
    expect(settings).toBe('restored')
    expect(run.screen).toMatchObject({ isAlternate: false, isCursorShown: true })
    expect(run.screen.text()).toContain('nothing was changed')
    expect(run.screen.text()).not.toContain('q leave')
    expect(applied).toEqual([])
  })

  test('gives the terminal back when it is terminated', async () => {
    const run = await review()
    run.signal('SIGTERM')
    expect(await run.ended).toMatchObject({ settings: 'restored' })
    expect(run.screen).toMatchObject({ isAlternate: false, isCursorShown: true })
    expect(applied).toEqual([])
  })

  test('goes on with a, and prints on stdout what it prints without a terminal', async () => {
    const run = await review({ stdoutTo: 'out.txt' })
    await run.press('a')
    expect(await run.ended).toMatchObject({ exitCode: 0, settings: 'restored' })
    const printed = readFileSync(join(home.directory, 'out.txt'), 'utf8')
    expect(printed).toMatch(
      /^production .*\n[\s\S]*~ product:PRO[\s\S]*Promoted to production: import i-1, revision 419\.\n$/,
    )
    expect(printed).not.toMatch(/\p{Cc}(?<!\n)/u)
    expect(applied).toHaveLength(1)
  })

  test('asks for the name of a protected environment', async () => {
    const run = await review({ to: 'guarded' })
    await run.press('a', 'g', 'u', 'a', '\r')
    await run.shows('not its name')
    await run.press('guarded', '\r')
    expect((await run.ended).exitCode).toBe(0)
    expect(applied).toHaveLength(1)
  })

  test('is not approved there without the word that a change needs', async () => {
    shown = [{ ...items[1], changes: [{ path: '/status', before: 'Published', after: 'Retired' }] }]
    const run = await review({ to: 'guarded' })
    expect(run.screen.text()).toMatch(/^> ~ product:PRO +needs --allow-retire, touches 212 live entitlements/m)
    await run.press('a')
    await run.shows('It needs --allow-retire')
    await run.press('q')
    shown = items
    expect((await run.ended).exitCode).toBe(1)
    expect(applied).toEqual([])
  })

  test('is not approved by what was typed before it could be seen', async () => {
    const run = await promote()
    run.type('aaa')
    await run.shows('q leave')
    expect(applied).toEqual([])
    await run.press('q')
    expect((await run.ended).exitCode).toBe(1)
    expect(applied).toEqual([])
  })

  test('fits 40 columns, and follows a terminal that is resized', async () => {
    const run = await review({ columns: 40, rows: 12 })
    expect(run.screen.text()).toMatch(/^ {2}~ product:PRO +touches 212$/m)
    expect(run.screen.text()).toContain('2 to create, 1 to update (touches 212\nlive entitlements)')
    run.resize(80, 24)
    await run.shows(/touches 212 live entitlements, 2 fields\n[\s\S]*approve all 3[^\n]*$/)
    run.resize(40, 10)
    await run.shows(/^Promote staging[\s\S]* touches 212\n[\s\S]*q leave[^\n]*$/)
    expect(run.screen.lines().filter((line) => line.length > 40)).toEqual([])
    await run.press('q')
    await run.ended
  })

  test('draws of 10,000 items only those in sight', async () => {
    shown = Array.from({ length: 10_000 }, (_, index) => ({ ...items[index % 3], key: `product:P${index}` }))
    const run = await review({ stdoutTo: 'out.txt' })
    await run.press(key.end)
    await run.shows('tag:Product/legacy')
    await run.press(key.up)
    await run.shows(/^> . product:P9999/m)
    const before = run.written().length
    await run.press(key.up)
    await run.shows(/^> . product:P9998/m)
    expect(run.written().length - before).toBeLessThan(8000)
    await run.press('/', 'p123', '\r')
    await run.shows('11 of 10001 items')
    await run.press('q')
    await run.ended
    shown = items
  })

  test('interrupted after it was sent says so', async () => {
    isHanging = true
    const run = await review()
    await run.press('a')
    await expect.poll(() => applied.length).toBe(1)
    await run.press('\u0003')
    const { exitCode, settings } = await run.ended
    isHanging = false
    expect(run.screen.text()).toContain('Interrupted after the change had been sent')
    expect(run.screen.text()).toContain('licet catalog history --env production')
    expect({ exitCode, settings }).toEqual({ exitCode: 130, settings: 'restored' })
  })

  test.each(['CI', 'LICET_NO_INPUT'])('is not shown with %s, where nobody can be asked', async (variable) => {
    const run = await promote({ env: { [variable]: '1' } })
    expect((await run.ended).exitCode).toBe(1)
    expect(run.written()).toMatch(/nobody can be asked[\s\S]*--yes/)
    expect(run.written()).not.toContain('[?1049h')
  })

  test('is a question of one line where nothing can be drawn', async () => {
    const run = await promote({ env: { TERM: 'dumb' } })
    await run.shows('[y/N]')
    await run.press('y\r')
    expect((await run.ended).exitCode).toBe(0)
    expect(run.written()).not.toContain('[?1049h')
  })
})
