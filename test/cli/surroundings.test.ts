import { spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt, freshHome, type Home, licet } from '../support/licet-binary.ts'
import { hasTerminal, onTerminal } from '../support/terminal.ts'
import { everyInvocation } from './invocations.ts'
import { robustHome, soundTenant } from './robust-home.ts'
import { type StandIn, standInSecret } from './tenant-stand-in.ts'

const binary = join(import.meta.dirname, '../../bin/licet.js')
const all = everyInvocation()

let server: StandIn
let prepared: Home
beforeAll(async () => {
  await ensureBuilt()
  server = await soundTenant()
  prepared = await robustHome(server.url)
  for (const args of [
    ['catalog', 'plan', 'one.yaml', '--env', 'one', '--out', 'plan.json'],
    ['tenant', 'create', 'acme'],
  ])
    expect((await licet(args, { home: prepared })).exitCode).toBe(0)
})
afterAll(() => server.close())

/** A home for one run, whatever the runs before it did. */
function homeAgain(): Home {
  const home = freshHome()
  cpSync(prepared.directory, home.directory, { recursive: true })
  chmodSync(home.config, 0o700)
  chmodSync(join(home.config, 'environments.json'), 0o600)
  return home
}

const wordsOf = ({ id, args }: (typeof all)[number]) => [...id.split(' '), ...args]
const escapeCharacter = '\u001b'

describe.each(all)('licet $id', (invocation) => {
  const words = wordsOf(invocation)
  const { exitCode = 0 } = invocation

  test('ends without colour where there is no terminal, and says no secret', async () => {
    const plain = await licet(words, { home: homeAgain() })
    expect(plain.stderr).not.toMatch(/^Bug:|^ {4}at /m)
    expect(plain.exitCode, plain.stderr).toBe(exitCode)
    expect(plain.stdout + plain.stderr).not.toContain(escapeCharacter)
    expect(plain.stdout + plain.stderr).not.toContain(standInSecret)
  })

  test('answers one JSON document that no colour gets into, and no secret', async () => {
    const env = { FORCE_COLOR: '1', LICET_DEBUG: '1' }
    const ended = await licet([...words, '--json'], { home: homeAgain(), env })
    expect(() => ended.json()).not.toThrow()
    expect(ended.exitCode, ended.stderr).toBe(exitCode)
    expect(ended.stdout).not.toContain(escapeCharacter)
    expect(ended.stdout + ended.stderr).not.toContain(standInSecret)
  })

  test.skipIf(!hasTerminal)('ends on a terminal of 40 columns as without one', async () => {
    const home = homeAgain()
    const onIt = await (await onTerminal(words, { home, columns: 40, env: { LICET_DEBUG: '1' } })).ended
    expect(onIt.exitCode).toBe(exitCode)
    expect(onIt.written).not.toContain(standInSecret)
    expect(onIt.settings).toBe('restored')
    expect(onIt.written).not.toMatch(/Bug:|^ {4}at /m)
  })
})

/** One command of each topic: they all write to the stream that bin/licet.js watches. */
const ofEachTopic = [...new Map(all.map((invocation) => [invocation.id.split(' ')[0], invocation])).values()]

/** What is said of a command, and how it ends, whose reader goes away before it has written anything. */
async function withoutReader(words: readonly string[], home = homeAgain()): Promise<string> {
  const child = spawn(
    'bash',
    ['-c', `"$@" | head -c 0; echo "exit $\{PIPESTATUS[0]}"`, 'bash', process.execPath, binary, ...words],
    { env: home.variables, cwd: home.directory, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  await new Promise((ended) => child.once('close', ended))
  return said
}

test.each(ofEachTopic)('licet $id ends as ever when its reader goes away', async (invocation) => {
  const said = await withoutReader(wordsOf(invocation))
  expect(said).toContain(`exit ${invocation.exitCode ?? 0}\n`)
  expect(said).not.toMatch(/EPIPE|Bug:|node:/)
})

test('what is under way is done, and a no stays one, when the reader goes away', async () => {
  const home = homeAgain()
  expect(await withoutReader(['catalog', 'plan', 'one.yaml', '--env', 'one', '--out', 'new.json'], home)).toMatch(
    /exit 0$/m,
  )
  expect(existsSync(join(home.directory, 'new.json'))).toBe(true)
  writeFileSync(join(home.directory, 'wrong.yaml'), 'products: [{ name: No code }]\n')
  expect(await withoutReader(['catalog', 'validate', 'wrong.yaml'], home)).toMatch(/exit 1$/m)
})

test.skipIf(!existsSync('/dev/full'))('a disk that is full is told in one line', async () => {
  const home = homeAgain()
  const words = [process.execPath, binary, 'tenant', 'list', '--json']
  const ended = await execa('bash', ['-c', '"$@" > /dev/full', 'bash', ...words], {
    ...{ cwd: home.directory, extendEnv: false, env: home.variables, reject: false },
  })
  expect(ended.stderr).toBe('Error: cannot write to stdout: no space left on the device')
  expect(ended.exitCode).toBe(1)
})

test.skipIf(!existsSync('/dev/full'))('where stderr takes nothing, the exit code still says how it ended', async () => {
  const home = homeAgain()
  const ended = await execa('bash', ['-c', '"$@" 2> /dev/full', 'bash', process.execPath, binary, 'tenant', 'nope'], {
    ...{ cwd: home.directory, extendEnv: false, env: home.variables, reject: false },
  })
  expect(ended.exitCode).toBe(64)
})

test('a working directory that is gone is told in one line', async () => {
  const home = homeAgain()
  const script = 'mkdir gone && cd gone && rmdir ../gone && "$@"'
  const ended = await execa('bash', ['-c', script, 'bash', process.execPath, binary, 'catalog', 'validate'], {
    ...{ cwd: home.directory, extendEnv: false, env: home.variables, reject: false },
  })
  expect(ended.stderr).toBe('Error: The working directory is no longer there.')
  expect(ended.exitCode).toBe(1)
})

describe('nobody to ask', () => {
  // Not of a plan, which was reviewed when it was made.
  const asking = all.filter(({ id, args }) => args.includes('--yes') && id !== 'catalog apply')
  test.each(asking)('licet $id changes nothing, and names the flag that answers', async ({ id, args }) => {
    const words = [...id.split(' '), ...args.filter((word) => word !== '--yes')]
    const ended = await licet([...words, '--json'], { home: homeAgain() })
    expect(ended.json().error).toMatchObject({
      codeName: 'cli.answer_needed',
      hint: expect.stringMatching(/--yes|--confirm/),
    })
    expect(ended.exitCode).toBe(1)
  })
})

describe('stdin that comes slowly', () => {
  test.each(all.filter(({ fromStdin }) => fromStdin))('licet $id reads it to its end', async ({ id, fromStdin }) => {
    const { args, input } = fromStdin!
    const words = [...id.split(' '), ...args, '--json']
    const home = homeAgain()
    const child = spawn(process.execPath, [binary, ...words], { cwd: home.directory, env: home.variables })
    let stdout = ''
    child.stdout.on('data', (text) => {
      stdout += text
    })
    const closed = new Promise<number | null>((ended) => child.once('close', ended))
    const atOnceEnded = licet(words, { home: homeAgain(), input })
    for (let at = 0; at < input.length; at += Math.ceil(input.length / 4)) {
      await wait(150)
      child.stdin.write(input.slice(at, at + Math.ceil(input.length / 4)))
    }
    child.stdin.end()
    const exitCode = await closed
    const atOnce = await atOnceEnded
    const timeless = (text: string) => text.replace(/"comparedAt": "[^"]*"|licet-home-\w+/g, '')
    expect(timeless(stdout)).toBe(timeless(atOnce.stdout))
    expect(exitCode).toBe(atOnce.exitCode)
    expect(atOnce.json()).not.toHaveProperty('error')
  })
})
