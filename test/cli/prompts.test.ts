import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt, freshHome, type Home } from '../support/licet-binary.ts'

// util-linux' script gives a program a terminal; elsewhere there is none to test with.
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

beforeAll(ensureBuilt)

/** Runs `licet env add` on a terminal and types an answer once the question is there. */
async function addOnTerminal(home: Home, answer: string, env: Record<string, string> = {}) {
  const binary = join(import.meta.dirname, '../../bin/licet.js')
  const command = `"${process.execPath}" "${binary}" env add x --url https://h.example/t/a --client-id c`
  const child = execa('script', ['-qec', command, '/dev/null'], {
    cwd: home.directory,
    extendEnv: false,
    env: { ...home.variables, TERM: 'xterm', ...env },
    reject: false,
  })
  child.stdout.once('data', () => setTimeout(() => child.stdin.write(answer), 200))
  return child
}

describe.skipIf(!hasScript)('on a terminal', () => {
  test('a secret is asked for and not shown', async () => {
    const home = freshHome()
    const ended = await addOnTerminal(home, 'typed-canary\r')
    expect(ended.exitCode).toBe(0)
    expect(ended.stdout).toMatch(/Client secret:[\s\S]*Added x/)
    expect(ended.stdout).not.toContain('typed-canary')
    expect(readFileSync(join(home.config, 'environments.json'), 'utf8')).toContain('typed-canary')
  })

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
    ['an empty answer', '\r'],
  ])('%s changes nothing and names the flag', async (_name, answer) => {
    const ended = await addOnTerminal(freshHome(), answer)
    expect(ended.exitCode).toBe(1)
    expect(ended.stdout).toMatch(/nothing was (changed|added)[\s\S]*--client-secret-file/)
  })

  test.each<Record<string, string>>([{ CI: 'true' }, { LICET_NO_INPUT: '1' }])(
    'with %j nobody is asked',
    async (env) => {
      const ended = await addOnTerminal(freshHome(), '', env)
      expect(ended.exitCode).toBe(1)
      expect(ended.stdout).toMatch(/nobody can be asked[\s\S]*--client-secret-file/)
    },
  )
})
