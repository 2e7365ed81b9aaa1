import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome } from '../support/licet-binary.ts'
import { hasTerminal, onTerminal, type TerminalOptions } from '../support/terminal.ts'

const add = (options: TerminalOptions = {}) =>
  onTerminal(['env', 'add', 'x', '--url', 'https://h.example/t/a', '--client-id', 'c'], options)

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test('a secret is asked for and not shown', async () => {
    const home = freshHome()
    const run = await add({ home })
    await run.shows('Client secret:')
    run.type('typed-canary\r')
    const { exitCode, written, settings } = await run.ended
    expect([exitCode, settings]).toEqual([0, 'restored'])
    expect(written).toMatch(/Client secret:[\s\S]*Added x/)
    expect(written).not.toContain('typed-canary')
    expect(readFileSync(join(home.config, 'environments.json'), 'utf8')).toContain('typed-canary')
  })

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
    ['an empty answer', '\r'],
  ])('%s changes nothing and names the flag', async (_name, answer) => {
    const run = await add()
    await run.shows('Client secret:')
    run.type(answer)
    const { exitCode, written, settings } = await run.ended
    expect([exitCode, settings]).toEqual([1, 'restored'])
    expect(written).toMatch(/nothing was (changed|added)[\s\S]*--client-secret-file/)
  })

  test.each<Record<string, string>>([{ CI: 'true' }, { LICET_NO_INPUT: '1' }])(
    'with %j nobody is asked',
    async (env) => {
      const { exitCode, written } = await (await add({ env })).ended
      expect(exitCode).toBe(1)
      expect(written).toMatch(/nobody can be asked[\s\S]*--client-secret-file/)
    },
  )
})
