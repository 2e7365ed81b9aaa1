import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt, freshHome, type Home, licet } from '../support/licet-binary.ts'
import { hasTerminal } from '../support/terminal.ts'

const binary = join(import.meta.dirname, '../../bin/licet.js')
const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0

/** Codes that a shell would act on if any of it came through unquoted; each would leave a file called "pwned". */
const hostile: Record<string, string> = {
  N1: 'N1 $(touch pwned)',
  N2: 'N2`touch pwned`',
  N3: `N3'a"b`,
  N4: 'N4;touch pwned',
  N5: 'N5!x\\y',
  N6: 'N6*?[a]{b,c}~#&|<>pwned',
  N7: 'N7:x$HOME',
}

/** A project with a catalog, environments, and `licet` on the PATH, which writes down its arguments unless a shell asks. */
function project() {
  const home = freshHome()
  const put = (path: string, text: string) => {
    mkdirSync(join(home.directory, path, '..'), { recursive: true })
    writeFileSync(join(home.directory, path), text)
  }
  const log = join(home.directory, 'ran.log')
  put('licet.yaml', 'catalog: catalog\nenvironments:\n  staging: { url: "https://a.example/t/a" }\n')
  const codes = [...Object.values(hostile), 'N8\nline', 'N9\u001b[31m']
  put('catalog/a.json', JSON.stringify({ products: codes.map((productCode) => ({ productCode })) }))
  put(
    'bin/licet',
    `#!/bin/bash
if [ "$1" = completion ]; then '${process.execPath}' '${binary}' "$@"; echo >> '${log}.asked'; exit; fi
printf '%s\\0' "$@" >> '${log}'; printf '\\n\\0' >> '${log}'
`,
  )
  chmodSync(join(home.directory, 'bin/licet'), 0o755)
  home.variables.PATH = `${join(home.directory, 'bin')}:${home.variables.PATH}`
  const ran = () => {
    const words = existsSync(log) ? readFileSync(log, 'utf8').split('\0') : []
    const runs: string[][] = [[]]
    for (const word of words) word === '\n' ? runs.push([]) : runs.at(-1)!.push(word)
    return runs.slice(0, -1)
  }
  const asked = () => (existsSync(`${log}.asked`) ? readFileSync(`${log}.asked`).length : 0)
  return { home, ran, asked }
}

const words = (home: Home, ...args: string[]) => licet(['completion', '--words', ...args], { home })

describe('what a shell is answered', () => {
  test('environments, kinds, keys and fields, from the files at hand; scopes', async () => {
    const { home } = project()
    const ask = async (...typed: string[]) => (await words(home, 'zsh', '--', ...typed)).stdout
    expect(await ask('catalog', 'diff', '--env', 's')).toBe('none\nstaging\thttps://a.example/t/a\n')
    expect(await ask('catalog', 'import', '--only', 'pro')).toBe('none\nproduct:\n')
    expect(await ask('catalog', 'import', '--only', 'product:N4')).toBe('none\nproduct:N4;touch pwned\n')
    expect(await ask('catalog', 'explain', 'product.feat')).toMatch(/^none\nproduct\.features\tThe features/)
    expect(await ask('catalog', 'diff', '--from', 'cat')).toBe('none\ncatalog/\n')
    expect(await ask('catalog', 'validate', '')).toBe('files\n')
    expect(await ask('client', 'create', '--scope', 'admin.tags:r')).toMatch(/^none\nadmin\.tags:read\t\S.*\n$/)
  })

  test('no name that a terminal would act on, or that has more than a line', async () => {
    const { stdout } = await words(project().home, 'fish', '--', 'catalog', 'import', '--only', 'product:N')
    expect(stdout.split('\n').filter(Boolean)).toHaveLength(1 + Object.keys(hostile).length)
    expect(stdout.replaceAll(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u)
  })

  test('never a failure or a word on stderr, whatever is there and whatever is asked', async () => {
    const { home } = project()
    writeFileSync(join(home.directory, 'licet.yaml'), 'catalog: [\n')
    const asked = [
      [],
      ['zsh'],
      ['tcsh', 'x'],
      ['bash', '', ''],
      ['bash', 'licet catalog import --only "product:', ':'],
      ['zsh', '--', 'catalog', 'import', '--only', 'product:', 'x'],
      ['fish', '--', 'catalog', 'diff', '--env', ''],
      ['zsh', '--', '--json', '--help', '\u0001'],
    ]
    for (const args of asked) {
      const { stdout, stderr, exitCode } = await words(home, ...args)
      expect([stderr, exitCode], String(args)).toEqual(['', 0])
      expect(stdout).toMatch(/^(none|files|directories)\n/)
    }
  })

  test('comes in little more time than Node itself takes to start', async () => {
    const { home } = project()
    await words(home, 'zsh', '--', 'cat')
    const spent = { node: 0, words: 0 }
    for (let turn = 0; turn < 5; turn++) {
      const begun = performance.now()
      await execa(process.execPath, ['-e', '0'])
      const between = performance.now()
      await words(home, 'zsh', '--', 'catalog', 'diff', '--')
      spent.node += between - begun
      spent.words += performance.now() - between
    }
    expect(spent.words / spent.node).toBeLessThan(4)
  })

  test.each(['bash', 'zsh', 'fish'])('the script for %s says how to install it', async (shell) => {
    const { stdout, exitCode } = await licet(['completion', shell])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`licet completion ${shell} >`)
    expect((await licet(['completion', '--help'])).stdout).toContain(`licet completion ${shell} >`)
  })
})

interface Shell {
  name: string
  command: string
  script: string
  setUp: string[]
  enter: string
}

const shells: Shell[] = [
  { name: 'bash', command: 'bash --norc --noprofile -i', script: 'c.bash', setUp: ['source ./c.bash'], enter: '\n' },
  {
    name: 'zsh',
    command: 'zsh -f -i',
    script: '_licet',
    setUp: ['autoload -Uz compinit; compinit -D -u; source ./_licet'],
    enter: '\n',
  },
  { name: 'fish', command: 'fish --no-config -i', script: 'c.fish', setUp: ['source c.fish'], enter: '\r' },
]

for (const shell of shells)
  if (!isInstalled(shell.name)) console.warn(`SKIPPED: completing in ${shell.name}, which is not installed.`)

describe.each(shells.filter(({ name }) => hasTerminal && isInstalled(name)))('in $name, at Tab', (shell) => {
  const { home, ran, asked } = project()

  beforeAll(async () => {
    await ensureBuilt()
    writeFileSync(join(home.directory, shell.script), (await licet(['completion', shell.name])).stdout)
  })

  /** Types lines on a terminal of the shell; a tab waits until what it asked for has come. */
  async function type(lines: string[]): Promise<string[][]> {
    const before = ran().length
    const child = execa('script', ['-qec', shell.command, '/dev/null'], {
      cwd: home.directory,
      extendEnv: false,
      env: { ...home.variables, TERM: 'xterm', INPUTRC: '/dev/null', SHELL: `/bin/${shell.name}`, LC_ALL: 'C.UTF-8' },
      reject: false,
    })
    let written = ''
    child.stdout.on('data', (text) => {
      written += String(text)
    })
    const settled = async () => {
      for (let seen = -1; seen !== written.length; await wait(120)) seen = written.length
    }
    const until = async (isSo: () => boolean) => {
      for (let turn = 0; turn < 400 && !isSo(); turn++) await wait(25)
      await settled()
    }
    await until(() => written !== '')
    for (const line of [...shell.setUp, ...lines]) {
      for (const part of line.split(/(?<=\t)/)) {
        const questions = asked()
        child.stdin.write(part)
        await until(() => !part.endsWith('\t') || asked() > questions)
      }
      const runs = ran().length
      child.stdin.write(shell.enter)
      await until(() => !line.startsWith('licet') || ran().length > runs)
    }
    child.stdin.write(`exit${shell.enter}`)
    await Promise.race([child, wait(5000).then(() => child.kill())])
    return ran().slice(before)
  }

  test('commands, flags and values are completed to what there is', async () => {
    const runs = await type(['licet cata\tdif\t--exit\t--env st\t', 'licet catalog diff --format=mark\t'])
    expect(runs).toEqual([
      ['catalog', 'diff', '--exit-code', '--env', 'staging'],
      ['catalog', 'diff', '--format=markdown'],
    ])
  }, 60_000)

  test('a key is inserted as it is, and none of it is run', async () => {
    const typed = Object.keys(hostile).map((code) => `licet catalog import --exclude product:${code}\t`)
    const runs = await type(typed)
    expect(runs).toEqual(Object.values(hostile).map((code) => ['catalog', 'import', '--exclude', `product:${code}`]))
    expect(existsSync(join(home.directory, 'pwned'))).toBe(false)
  }, 120_000)

  test.runIf(shell.name === 'bash')(
    'inside quotes and behind = too',
    async () => {
      const codes = ['N1', 'N2', 'N3', 'N5']
      const typed = codes.flatMap((code) => [
        `licet catalog import --exclude=product:${code}\t`,
        `licet catalog import --exclude "product:${code}\t`,
        `licet catalog import --exclude 'product:${code}\t`,
      ])
      const runs = await type(typed)
      expect(runs.map((run) => run.slice(2).join(' ').replace('--exclude=', '--exclude '))).toEqual(
        codes.flatMap((code) => Array<string>(3).fill(`--exclude product:${hostile[code]}`)),
      )
      expect(existsSync(join(home.directory, 'pwned'))).toBe(false)
    },
    120_000,
  )
})
