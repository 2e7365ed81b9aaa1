import { describe, expect, test } from 'vitest'
import { isPainted } from '../../cli/colour.ts'
import { dispatch } from '../../cli/dispatch.ts'
import { asProblem } from '../../cli/ending.ts'
import { resolveEnvironment, type Sources } from '../../cli/environments/choosing.ts'
import { isOn, readGlobalSwitches } from '../../cli/global-switches.ts'
import { documentOf } from '../../cli/json-document.ts'
import { listenProblem } from '../../cli/listen-problem.ts'
import { editDistance, nearest } from '../../cli/nearest.ts'
import { databaseProblem } from '../../cli/operator/database-problems.ts'
import { Problem } from '../../cli/problems.ts'
import { confirmChange } from '../../cli/prompts/confirming.ts'
import { tenantPath } from '../../cli/server-client.ts'
import { displayWidth, tableOf } from '../../cli/table.ts'
import { visible } from '../../cli/visible-text.ts'

describe('what the words ask for', () => {
  const ids = ['api', 'catalog:plan', 'catalog:plan:show', 'catalog:diff', 'env:add', 'env:use']
  test.each([
    [['api', 'GET', '/x'], { kind: 'run', id: 'api', argv: ['GET', '/x'] }],
    [['catalog', 'plan', 'show', 'f'], { kind: 'run', id: 'catalog:plan:show', argv: ['f'] }],
    [['catalog', 'plan', 'dir', '--out', 'x'], { kind: 'run', id: 'catalog:plan', argv: ['dir', '--out', 'x'] }],
    [['env', 'use', '--', '--help'], { kind: 'run', id: 'env:use', argv: ['--', '--help'] }],
    [['env', 'use', 'x', '-h'], { kind: 'help', subject: 'env:use' }],
    [['help', 'catalog', 'plan'], { kind: 'help', subject: 'catalog:plan' }],
    [['env'], { kind: 'topic', subject: 'env' }],
    [['env', '--help'], { kind: 'help', subject: 'env' }],
    [['env', '--no-color'], { kind: 'topic', subject: 'env' }],
    [['env', '--yes', '--help'], { kind: 'help', subject: 'env' }],
    [['env', '--json', 'use', 'x'], { kind: 'flags-first', topic: 'env', command: 'env:use' }],
    [['env', '--', 'x'], { kind: 'flags-first', topic: 'env', command: null }],
    [[], { kind: 'help', subject: null }],
    [['--json', '--no-input'], { kind: 'topic', subject: null }],
    [['env', 'usee'], { kind: 'unknown', typed: 'env usee', topic: 'env', suggestions: ['env use'] }],
    [
      ['catlog', 'diff', 'dir'],
      { kind: 'unknown', typed: 'catlog diff dir', topic: null, suggestions: ['catalog diff'] },
    ],
    [['constructor'], { kind: 'unknown', typed: 'constructor', topic: null, suggestions: [] }],
    [['--wat'], { kind: 'unknown', typed: '--wat', topic: null, suggestions: [] }],
  ])('%j', (argv, expected) => {
    expect(dispatch(argv, ids)).toEqual(expected)
  })
})

describe('the global flags', () => {
  test.each([
    [['--json', 'env', 'list'], ['env', 'list', '--json'], { LICET_JSON: '1' }],
    [['env', 'list', '--no-input'], ['env', 'list', '--no-input'], { LICET_NO_INPUT: '1' }],
    [['--no-color', 'a', '--', '--json'], ['a', '--no-color', '--', '--json'], { LICET_NO_COLOR: '1' }],
    [['--json'], ['--json'], { LICET_JSON: '1' }],
  ])('%j', (argv, expected, written) => {
    const variables = {}
    expect(readGlobalSwitches(argv, variables)).toEqual(expected)
    expect(variables).toEqual(written)
  })

  test.each([
    [undefined, false],
    ['', false],
    ['0', false],
    ['FALSE', false],
    ['no', false],
    ['1', true],
    ['true', true],
  ])('%s is %s', (value, on) => {
    expect(isOn(value)).toBe(on)
  })
})

describe('the nearest words', () => {
  test.each([
    ['list', 'list', 0],
    ['lsit', 'list', 1],
    ['', 'ab', 2],
    ['kitten', 'sitting', 3],
  ])('%s to %s is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
    expect(editDistance(b, a)).toBe(distance)
  })
  test('come likeliest first and never guess wildly', () => {
    expect(nearest('--dta', ['--date', '--data', '--json'])).toEqual(['--data', '--date'])
    expect(nearest('x', ['y', 'env'])).toEqual([])
  })
})

describe('text from outside', () => {
  test.each([
    ['plain ü 漢字 👩‍💻'.replace('\u200d', ''), 'plain ü 漢字 👩💻'],
    ['a\u001b[31mb', 'a\\x1b[31mb'],
    ['a\u009bb\u0000', 'a\\x9bb\\x00'],
    ['right\u202eto left', 'right\\u{202e}to left'],
    ['\ud800', '\\u{d800}'],
    ['a\r\nb\tc', 'a\\r\\nb\\tc'],
  ])('%j', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })
  test('keeps its lines where lines are wanted, but never a carriage return', () => {
    expect(visible('a\n\tb\r', { lines: true })).toBe('a\n\tb\\r')
  })
})

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ TERM: 'dumb' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', LICET_NO_COLOR: '1' }, true, false],
])('with %j a stream that is a terminal (%s) is painted: %s', (variables, isTTY, painted) => {
  expect(isPainted({ isTTY }, variables)).toBe(painted)
})

test('columns line up whatever the text is made of', () => {
  expect(displayWidth('漢字')).toBe(4)
  expect(displayWidth('e\u0301')).toBe(1)
  expect(
    tableOf(
      ['NAME', 'N'],
      [
        ['漢', 5],
        ['a\u001b', 10],
      ],
      { isTTY: false } as never,
    ),
  ).toBe('NAME    N\n漢      5\na\\x1b  10')
})

test('a document holds the warnings where it can', () => {
  expect(documentOf({ a: 1 }, ['w'])).toEqual({ a: 1, warnings: [{ message: 'w' }] })
  expect(documentOf({ warnings: [{ code: 'x' }] }, ['w'])).toEqual({ warnings: [{ code: 'x' }, { message: 'w' }] })
  expect(documentOf([1], ['w'])).toEqual([1])
  expect(documentOf(undefined, [])).toBe(null)
})

test('a problem is found inside what libraries wrap around it; anything else is ours', () => {
  const problem = new Problem('cli.input', 'x')
  expect(asProblem(new Error('outer', { cause: new Error('inner', { cause: problem }) }))).toBe(problem)
  expect(asProblem(new TypeError('x is not a function'))).toBe(undefined)
  expect(asProblem('text')).toBe(undefined)
})

test.each([
  ['SQLITE_IOERR', 'sqlite:./x.db', 'The database ./x.db or what lies beside it cannot be read or written: its disk'],
  ['SQLITE_IOERR_SHMSIZE', 'sqlite:./x.db', 'The database ./x.db or what lies beside it cannot be read or written'],
  ['SQLITE_FULL', 'sqlite:./x.db', 'The database ./x.db cannot grow: no space is left on the device.'],
])('%s is told an operator in one line', (code, url, said) => {
  const problem = databaseProblem(Object.assign(new Error('disk I/O error'), { code }), url)
  expect(problem).toMatchObject({ codeName: 'cli.input', exitCode: 1, message: expect.stringContaining(said) })
})

const refusal = (code: string | undefined, message: string) => Object.assign(new Error(message), { code })
const password = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'

test.each([
  [refusal('42501', 'permission denied for schema public'), 'says: permission denied for schema public (42501).'],
  [refusal('25006', 'cannot execute x in a read-only transaction'), 'says: cannot execute x in a read-only'],
  [refusal('40P01', 'deadlock detected'), 'says: deadlock detected (40P01).'],
  [refusal(undefined, password), 'wants a password: LICET_DATABASE_URL or PGPASSWORD gives it.'],
  [refusal(undefined, 'The server does not support SSL connections'), 'offers no TLS, which sslmode demands.'],
  [refusal('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), 'has a certificate that is not trusted'],
  [refusal(undefined, 'Connection terminated due to connection timeout'), 'does not answer.'],
])('%s is told an operator in one line', (error, said) => {
  const problem = databaseProblem(error, 'postgres://u:secret@h:5433/x')
  expect(problem).toMatchObject({
    codeName: 'cli.input',
    message: expect.stringContaining(`PostgreSQL at h:5433 ${said}`),
  })
})

test.each([
  ['ENOENT', 'has no socket there: is it running, and the directory right? (ENOENT).'],
  ['EACCES', 'keeps this user from its socket (EACCES).'],
])('a socket that cannot be connected to is told an operator in one line (%s)', (code, said) => {
  const error = refusal(code, `connect ${code} /run/postgresql/.s.PGSQL.5432`)
  const problem = databaseProblem(error, 'postgres:///x?host=/run/postgresql&user=u')
  expect(problem).toMatchObject({ codeName: 'cli.input', message: `PostgreSQL at /run/postgresql ${said}` })
})

test('a statement that is wrong is ours', () => {
  const error = refusal('42601', 'syntax error')
  expect(databaseProblem(error, 'postgres://u@h/x')).toBe(error)
})

test('that a database has no address is not about where to listen', () => {
  const unknown = (hostname: string) =>
    Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname })
  expect(listenProblem(unknown('db.example'), 'here.example', 1)).toBe(undefined)
  expect(listenProblem(unknown('here.example'), 'here.example', 1)?.message).toMatch(/^Cannot listen at here\.example/)
})

describe('a path below the tenant', () => {
  const base = 'https://h.example/t/acme'
  test.each(['/api/v1/x?a=1', 'api/v1/x?a=1', '/api/./v1/x?a=1'])('%s', (path) => {
    expect(tenantPath(base, path).href).toBe('https://h.example/t/acme/api/v1/x?a=1')
  })
  test.each([
    'https://h.example/t/acme/x',
    '//evil/x',
    '../x',
    '/a/../../x',
    'javascript:1',
    '%2e%2e/x',
    '\\..\\..\\x',
  ])('%s is refused', (path) => {
    expect(() => tenantPath(base, path)).toThrow(/below the base URL/)
  })
})

describe('which environment a command works with', () => {
  const none: Sources = { named: undefined, variables: {}, project: null, user: { current: null, environments: {} } }
  const staging = { url: 'https://s.example/t/a', clientId: 'sc', clientSecret: 'ss' }
  const production = { url: 'https://p.example/t/a', clientId: 'pc', clientSecret: 'ps', protected: true }
  const user = { current: 'staging', environments: { staging, production } }
  const project = {
    path: 'licet.yaml',
    environment: 'production',
    environments: { production: { url: production.url, tenantId: 't' } },
  }
  const variables = { LICET_URL: 'https://v.example/t/a/', LICET_CLIENT_ID: 'vc', LICET_CLIENT_SECRET: 'vs' }

  test.each<[string, Partial<Sources>, Record<string, unknown>]>([
    ['the one in use', { user }, { name: 'staging', clientSecret: 'ss', protected: false }],
    [
      'the one of the project before it',
      { user, project },
      { name: 'production', tenantId: 't', clientSecret: 'ps', protected: true },
    ],
    [
      'LICET_URL before the project',
      { user, project, variables },
      { name: null, url: 'https://v.example/t/a', clientId: 'vc' },
    ],
    [
      'LICET_URL of a protected one, which stays protected, by its name, and its own tenant',
      { user, project, variables: { ...variables, LICET_URL: `${production.url}/` } },
      { name: 'production', url: production.url, clientId: 'vc', protected: true, tenantId: 't' },
    ],
    [
      'LICET_URL of one that is not protected',
      { user, variables: { ...variables, LICET_URL: staging.url } },
      { name: null, url: staging.url, clientId: 'vc', protected: false },
    ],
    [
      'the named one before all',
      { user, project, variables, named: 'staging' },
      { name: 'staging', url: staging.url, clientId: 'sc', clientSecret: 'ss' },
    ],
    [
      'credentials in variables complete a named one',
      { named: 'production', project, variables: { LICET_CLIENT_ID: 'vc', LICET_CLIENT_SECRET: 'vs' } },
      { name: 'production', url: production.url, clientId: 'vc', clientSecret: 'vs' },
    ],
  ])('%s', (_name, sources, expected) => {
    expect(resolveEnvironment({ ...none, ...sources })).toMatchObject(expected)
  })

  test.each<[string, Partial<Sources>, RegExp]>([
    ['none', {}, /No environment is chosen/],
    ['a name that nobody knows', { user, named: 'prodution' }, /no environment "prodution"/],
    ['a name of every object', { user, named: 'constructor' }, /no environment "constructor"/],
    ['no secret', { project }, /no client id|no client secret/],
    [
      'another URL in the project than the secret was stored for',
      { user, project: { ...project, environments: { production: { url: 'https://evil.example/t/a' } } } },
      /evil\.example.*your own settings/,
    ],
    [
      'another tenant in the project than in the own settings',
      { user: { ...user, environments: { production: { ...production, tenantId: 'u' } } }, project },
      /licet\.yaml says that "production" is tenant t, your own settings say u/,
    ],
  ])('refuses %s', (_name, sources, message) => {
    expect(() => resolveEnvironment({ ...none, ...sources })).toThrow(message)
  })
})

describe('a change, where nobody can be asked,', () => {
  const staging = { name: 'staging', protected: false }
  const production = { name: 'production', protected: true }
  const question = 'Import 3 changes into it?'

  test.each([
    [{ environment: staging, yes: true }],
    [{ environment: staging, confirm: 'staging' }],
    [{ environment: production, confirm: 'production' }],
    [{ environment: { name: null, protected: false }, yes: true }],
  ])('goes ahead with %j', async (given) => {
    await expect(confirmChange({ question, ...given })).resolves.toBeUndefined()
  })

  test.each([
    [{ environment: staging }, '--yes'],
    [{ environment: staging, confirm: 'production' }, '--yes'],
    [{ environment: production }, '--confirm production'],
    [{ environment: production, yes: true }, '--confirm production'],
    [{ environment: production, yes: true, confirm: 'staging' }, '--confirm production'],
  ])('is refused with %j, naming %s', async (given, hint) => {
    await expect(confirmChange({ question, ...given })).rejects.toMatchObject({ details: { hint } })
  })
})
