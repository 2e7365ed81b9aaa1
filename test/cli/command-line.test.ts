import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt, freshHome, licet } from '../support/licet-binary.ts'

const binary = join(import.meta.dirname, '../../bin/licet.js')

beforeAll(ensureBuilt)

describe('wrong usage exits 64 and says what to do', () => {
  const cases: [string, string[], RegExp][] = [
    ['an unknown command', ['evn', 'list'], /no command "evn list".*Did you mean licet env list/],
    ['an unknown command of a topic', ['env', 'chekc'], /Did you mean licet env check/],
    ['a word that is like nothing', ['qqqqqqqq'], /no command "qqqqqqqq"[\s\S]*licet --help/],
    ['a flag where a command must be', ['--frobnicate'], /Unknown flag --frobnicate/],
    [
      'a flag before the command of a topic',
      ['catalog', '--yes', 'import'],
      /Try: licet catalog import, and the flags/,
    ],
    ['a flag and its value there', ['entitlement', '--env', 'a', 'find', 'X'], /Try: licet entitlement find, and the/],
    ['a global flag there', ['catalog', '--no-input', 'validate'], /Try: licet catalog validate, and the flags/],
    ['a flag in the place of a command', ['catalog', '--yes'], /before any flag\.\n {2}Try: licet catalog --help/],
    ['an unknown flag', ['env', 'list', '--verbos'], /Unknown flag --verbos/],
    ['a flag that is nearly right', ['api', 'GET', '/x', '--dta', '{}'], /Try: --data/],
    ['a flag written out that is short', ['api', 'GET', '/x', '--enviroment', 'a'], /Try: --env \(/],
    ['a flag cut short', ['catalog', 'import', '--expected-rev', '4'], /Try: --expected-revision \(/],
    ['a missing argument', ['env', 'use'], /^Error: Missing 1 required argument: NAME\.$/m],
    [
      'a missing argument beside flags that repeat',
      ['api', 'GET', '--header', 'a: b'],
      /required argument: PATH\.\n(?!.*(Note|Alternatively))/s,
    ],
    ['a missing flag', ['env', 'add', 'x', '--client-id', 'c'], /Missing required flag --url/],
    ['the version as a command', ['version'], /Did you mean licet --version\?/],
    ['the version misspelled', ['--versoin'], /Try: licet --version$/m],
    ['an argument too many', ['env', 'use', 'a', 'b'], /One argument too many: licet env use takes NAME/],
    [
      'an empty flag',
      ['catalog', 'import', '--env', '', '--yes'],
      /--env is empty\.\n {2}Try: a value, or no such flag/,
    ],
    ['an empty flag after =', ['catalog', 'import', '--expected-revision='], /--expected-revision is empty/],
    ['an empty flag that repeats', ['catalog', 'promote', '--from', 'a', '--to', 'b', '--only', ''], /--only is empty/],
    ['a blank name of a side', ['catalog', 'promote', '--from', 'a', '--to', ' '], /--to is empty/],
    ['an empty tenant', ['client', 'list', '--tenant', ''], /--tenant is empty/],
    ['an empty directory', ['catalog', 'validate', ''], /DIRECTORY is empty\.\n {2}Try: a value, or no such argument/],
    ['an empty name where none means the one in use', ['env', 'check', ''], /NAME is empty/],
    ['an empty file among others', ['offline', 'issue', 'a.json', ''], /argument is empty|FILES? is empty/],
    ['a switch with a value', ['env', 'use', '--json=1'], /--json takes no value/],
    [
      'flags that exclude each other',
      ['api', 'GET', '/x', '--include', '--paginate'],
      /--paginate.*cannot also be provided|include/,
    ],
    ['a method that does not exist', ['api', 'FETCH', '/x'], /no such method/],
    ['a path that leads elsewhere', ['api', 'GET', 'https://evil.example/x'], /below the base URL/],
  ]
  const env = { LICET_URL: 'http://127.0.0.1:9/t/a', LICET_CLIENT_ID: 'c', LICET_CLIENT_SECRET: 's3cr3t' }

  test.each(cases)('%s', async (_name, args, message) => {
    const variables = args[0] === 'api' ? env : {}
    const ended = await licet(args, { env: variables })
    expect(ended.stderr).toMatch(message)
    expect(ended.stdout).toBe('')
    expect(ended.exitCode).toBe(64)
  })

  test.each(cases)('%s, as one JSON document', async (_name, args) => {
    const variables = args[0] === 'api' ? env : {}
    const ended = await licet([...args, '--json'], { env: variables })
    expect(ended.exitCode).toBe(64)
    expect(ended.stderr).toBe('')
    expect(Object.keys(ended.json())).toEqual(['error'])
    expect(Object.keys(ended.json().error)).toEqual(['code', 'codeName', 'message', 'hint'])
    expect(ended.json().error).toMatchObject({ code: 8001, codeName: 'cli.usage' })
    expect(ended.stdout).not.toMatch(/\.config|at .*\.js|argv/)
  })

  test('a topic without a command is help for people, and no document', async () => {
    const ended = await licet(['catalog', '--json'])
    expect(ended.json().error).toMatchObject({ codeName: 'cli.usage', hint: 'licet catalog --help' })
    expect(ended.exitCode).toBe(64)
    expect((await licet(['catalog', '--no-color'])).exitCode).toBe(0)
    const none = await licet(['--json'])
    expect(none.json().error).toMatchObject({ message: 'licet needs a command.', hint: 'licet --help' })
    expect(none.exitCode).toBe(64)
    expect((await licet(['--no-color', '--no-input'])).stdout).toMatch(/USAGE/)
  })

  test('a variable that is empty is one that is not set', async () => {
    const ended = await licet(['env', 'list', '--json'], { env: { LICET_ENV: '', LICET_FORMAT: '' } })
    expect([ended.json(), ended.exitCode]).toEqual([[], 0])
    const chosen = await licet(['env', 'check'], { env: { LICET_ENV: '' } })
    expect(chosen.stderr).toMatch(/No environment is chosen/)
  })

  test('LICET_JSON asks for the document as --json does', async () => {
    const ended = await licet(['nope'], { env: { LICET_JSON: '1' } })
    expect(ended.json().error.codeName).toBe('cli.usage')
  })

  test.each<[string[], Record<string, string>]>([
    [['validate', '--format', 'json', '--bogus'], {}],
    [['diff', 'a', 'b', '--format=json'], {}],
    [['plan', 'show', '--format', 'json'], { LICET_FORMAT: 'markdown' }],
    [['diff', '--bogus'], { LICET_FORMAT: 'json' }],
  ])('--format json asks for the document, too: catalog %j with %j', async (args, env) => {
    const ended = await licet(['catalog', ...args], { env })
    expect(ended.json().error.codeName).toBe('cli.usage')
    expect(ended.stderr).toBe('')
    expect(ended.exitCode).toBe(64)
  })

  test.each<[string[], Record<string, string>]>([
    [['catalog', 'diff', '--bogus', '--', '--format', 'json'], {}],
    [['catalog', 'diff', '--bogus', '--format', 'github'], { LICET_FORMAT: 'json' }],
    [['env', 'list', '--bogus'], { LICET_FORMAT: 'json' }],
  ])('no document is asked for by %j with %j', async (args, env) => {
    const ended = await licet(args, { env })
    expect(ended.stdout).toBe('')
    expect(ended.exitCode).toBe(64)
  })

  test('--json before the command counts too', async () => {
    const ended = await licet(['--json', 'env', 'list'])
    expect(ended.json()).toEqual([])
    expect(ended.exitCode).toBe(0)
  })

  test('a secret typed as a flag or an argument is never repeated', async () => {
    for (const args of [
      ['env', 'add', 'x', '--url', 'http://h/t/a', '--client-id', 'c', '--client-secret', 'hunter2-canary'],
      ['env', 'add', 'x', '--url', 'http://h/t/a', '--client-id', 'c', '--client-secret=hunter2-canary'],
      ['env', 'use', 'x', 'hunter2-canary'],
    ]) {
      for (const json of [[], ['--json']]) {
        const ended = await licet([...args, ...json], { env: { LICET_DEBUG: '1' } })
        expect(ended.exitCode).toBe(64)
        expect(ended.stdout + ended.stderr).not.toContain('hunter2-canary')
      }
    }
  })

  test('a secret typed as a flag is answered with the flag that reads it from a file', async () => {
    const ended = await licet(['env', 'add', 'x', '--client-secret', 'hunter2'])
    expect(ended.stderr).toMatch(/never goes on a command line[\s\S]*--client-secret-file/)
  })
})

describe('help and version', () => {
  test('no words, --help, -h and help all show the commands', async () => {
    for (const args of [[], ['--help'], ['-h'], ['help']]) {
      const ended = await licet(args)
      expect(ended.stdout).toMatch(/USAGE[\s\S]*licet \[COMMAND\][\s\S]*env /)
      expect(ended.exitCode).toBe(0)
    }
  })

  test('a topic lists its commands, a command shows its flags, variables and examples', async () => {
    expect((await licet(['env'])).stdout).toMatch(/env add .*[\s\S]*env use/)
    for (const args of [
      ['env', 'add', '--help'],
      ['help', 'env', 'add'],
    ]) {
      const { stdout } = await licet(args)
      expect(stdout).toMatch(/LICET_CLIENT_SECRET_FILE/)
      expect(stdout).toMatch(/EXAMPLES[\s\S]*licet env add staging/)
    }
  })

  test('help on users promises no list of what they may use, which no command shows', async () => {
    expect((await licet(['user', '--help'])).stdout).toMatch(/^End users: (?!.*may use)/)
  })

  test('--version needs no command, and is one document with --json', async () => {
    expect((await licet(['--version'])).stdout).toMatch(/^licet\/\d+\.\d+\.\d+ \S+ node-v\d+/)
    expect(Object.keys((await licet(['--version', '--json'])).json())).toEqual(['version', 'platform', 'node'])
    expect((await licet(['--json', '--version'])).json()).toHaveProperty('version')
    expect((await licet(['--no-color', '--version'])).stdout).toMatch(/^licet\/\d/)
    expect((await licet(['--no-input', '--json', '-v'])).json()).toHaveProperty('version')
    expect((await licet(['--version'], { env: { LICET_JSON: '1' } })).json()).toHaveProperty('version')
  })
})

describe('a command is there sooner for what it does not load', () => {
  /** Whether Node loads a part of itself for a command. */
  async function isLoaded(part: string, ...args: string[]) {
    const script = `process.on('exit',()=>console.error('loaded:',process.moduleLoadList.includes('NativeModule ${part}')))`
    const unreachable = { LICET_URL: 'http://127.0.0.1:1/t/a', LICET_CLIENT_ID: 'c', LICET_CLIENT_SECRET: 's' }
    const env = { ...unreachable, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
    return /^loaded: (.*)$/m.exec((await licet(args, { env })).stderr)![1]
  }

  test('--version and the words of a completion do without what reads commands', async () => {
    expect(await isLoaded('readline', '--version')).toBe('false')
    expect(await isLoaded('readline', 'completion', '--words', 'zsh', '--', 'env', '')).toBe('false')
    expect(await isLoaded('readline', 'env', 'list')).toBe('true')
  })

  test("who talks to a server does without Node's own client", async () => {
    expect(await isLoaded('internal/deps/undici/undici', 'api', 'GET', '/x')).toBe('false')
    expect(await isLoaded('_http_client', 'api', 'GET', '/x')).toBe('true')
  })
})

describe('streams', () => {
  test('a reader that goes away ends the run quietly, with exit 0', () => {
    const home = freshHome()
    const script = `"${process.execPath}" "${binary}" "$@" | head -c 0; echo "exit \${PIPESTATUS[0]}"`
    for (const args of [['--help'], ['env', 'list', '--json'], ['--version']]) {
      const output = execFileSync('bash', ['-c', `sleep 0.1; ${script} 2>&1`, 'bash', ...args], { env: home.variables })
      expect(String(output)).toBe('exit 0\n')
    }
  })

  test('colour is off for pipes, NO_COLOR, --no-color and TERM=dumb, and on when forced', async () => {
    const escapes = '\u001b['
    expect((await licet(['nope'])).stderr).not.toContain(escapes)
    expect((await licet(['nope'], { env: { FORCE_COLOR: '1' } })).stderr).toContain(escapes)
    expect((await licet(['nope'], { env: { NO_COLOR: '1' } })).stderr).not.toContain(escapes)
    expect((await licet(['nope', '--no-color'], { env: { FORCE_COLOR: '1' } })).stderr).not.toContain(escapes)
    const both = await licet(['nope'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
    expect(both.stderr).toBe((await licet(['nope'], { env: { NO_COLOR: '1' } })).stderr)
    expect((await licet(['--help'], { env: { NO_COLOR: '1' } })).stdout).not.toContain(escapes)
  })

  test('text from outside cannot reach the terminal as an escape sequence', async () => {
    const ended = await licet(['no\u001b[31mpe'])
    expect(ended.stderr).toContain('no\\x1b[31mpe')
    expect(ended.stderr).not.toContain('\u001b')
  })
})

describe('the starter', () => {
  test('says plainly that the Node that runs it is too old', async () => {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'18.20.1'}})`
    const ended = await execa(process.execPath, ['--import', older, binary, 'env', 'list'], { reject: false })
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toMatch(/needs Node 22 or newer; this is Node 18\.20\.1[\s\S]*npx licet/)
  })

  test.skipIf(!existsSync('/proc/self'))('ends where no directory can be made', async () => {
    const home = freshHome()
    const env = { HOME: '/proc', NODE_COMPILE_CACHE: '', XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '' }
    expect((await licet(['--version'], { home, env })).exitCode).toBe(0)
    const refused = await licet(['init', '/proc/nope/x'], { home })
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^Error: Cannot write \/proc\/nope\/x: no such file/),
    ])
  })

  test('says what to run when there is no build', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'licet-unbuilt-'))
    mkdirSync(join(directory, 'bin'))
    cpSync(binary, join(directory, 'bin/licet.js'))
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
    const ended = await execa(process.execPath, [join(directory, 'bin/licet.js')], { reject: false })
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toMatch(/npm run build/)
    expect(ended.stderr).not.toMatch(/at .*:\d+/)
  })
})

describe('a bug of ours', () => {
  const broken = `--import=data:text/javascript,AbortSignal.timeout=()=>{throw%20new%20RangeError('boom-canary')}`
  const env = {
    LICET_URL: 'http://h.example/t/a',
    LICET_CLIENT_ID: 'c',
    LICET_CLIENT_SECRET: 's',
    NODE_OPTIONS: broken,
  }
  const args = ['api', 'GET', '/x']

  test('is owned up to with a number and no stack', async () => {
    const [first, again] = [await licet(args, { env }), await licet(args, { env })]
    expect(first.exitCode).toBe(1)
    expect(first.stderr).toMatch(/^Bug: This is a bug in licet.*\(bug [0-9a-f]{8}\)/)
    expect(first.stderr).not.toMatch(/boom-canary|\.js/)
    expect(again.stderr).toBe(first.stderr)
  })

  test('is owned up to when nobody catches it', async () => {
    const later = `AbortSignal.timeout=()=>{setImmediate(()=>{throw new RangeError('boom-canary')});return new AbortController().signal}`
    const options = `--import=data:text/javascript,${encodeURIComponent(later)}`
    const ended = await licet(args, { env: { ...env, NODE_OPTIONS: options } })
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toMatch(/^Bug: This is a bug in licet.*\(bug [0-9a-f]{8}\)\.\n {2}Try: .*\n$/)
    expect(ended.stdout).toBe('')
  })

  test('shows its stack, with the lines of the sources, when debugging', async () => {
    const { stderr } = await licet(args, { env: { ...env, LICET_DEBUG: '1' } })
    expect(stderr).toMatch(/RangeError: boom-canary[\s\S]*exchange\.ts:\d+/)
  })

  test('is one document with --json', async () => {
    const ended = await licet([...args, '--json'], { env })
    expect(ended.exitCode).toBe(1)
    expect(ended.json().error).toMatchObject({ code: 8000, codeName: 'cli.bug' })
    expect(ended.stdout).not.toContain('boom-canary')
  })
})
