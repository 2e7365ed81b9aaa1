import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import { ensureBuilt, freshHome, type Home } from './licet-binary.ts'
import { TerminalScreen } from './terminal-screen.ts'

const binary = join(import.meta.dirname, '../../bin/licet.js')

/** util-linux' script gives a program a terminal; elsewhere there is none to test with, and these tests say that they are skipped. */
export const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
if (!hasTerminal) console.warn('SKIPPED: the tests on a terminal need util-linux (the command `script`) on Linux.')

export interface TerminalOptions {
  home?: Home
  env?: Record<string, string>
  columns?: number
  rows?: number
  /** Keeps stdout off the terminal, in this file of the home. */
  stdoutTo?: string
}

/** A run of the binary on a terminal. */
export interface TerminalRun {
  home: Home
  screen: TerminalScreen
  /** Everything that was written to the terminal. */
  written(): string
  /** Waits until the screen shows a text and stands still. */
  shows(text: string | RegExp): Promise<void>
  type(keys: string): void
  /** Types keys one after the other, as a person does. */
  press(...keys: string[]): Promise<void>
  resize(columns: number, rows: number): void
  /** Sends a signal to licet itself. */
  signal(name: NodeJS.Signals): void
  ended: Promise<{ exitCode: number | undefined; written: string; settings: string }>
}

/** Runs the binary on a pseudo-terminal; its settings (`stty`) before and after it are compared by `ended`. */
export async function onTerminal(args: string[], options: TerminalOptions = {}): Promise<TerminalRun> {
  await ensureBuilt()
  const { home = freshHome(), env = {}, columns = 80, rows = 24, stdoutTo } = options
  const quoted = [process.execPath, binary, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const redirected = stdoutTo === undefined ? '' : ` > '${stdoutTo}'`
  const command = [
    `stty cols ${columns} rows ${rows}`,
    'tty > .tty',
    'stty -g > .before',
    `sh -c 'echo $$ > .pid; exec "$@"' sh ${quoted}${redirected}`,
    'code=$?',
    'stty -g > .after',
    'exit $code',
  ].join('; ')
  const child = execa('script', ['-qec', command, '/dev/null'], {
    cwd: home.directory,
    extendEnv: false,
    env: { ...home.variables, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    reject: false,
    stripFinalNewline: false,
  })
  const screen = new TerminalScreen(columns, rows)
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
    screen.write(text)
  })
  const type = (keys: string) => void child.stdin.write(keys)
  const kept = (name: string) => readFileSync(join(home.directory, name), 'utf8').trim()
  let isOver = false
  const ended = child.then(({ exitCode }) => {
    isOver = true
    return { exitCode, written, settings: kept('.after') === kept('.before') ? 'restored' : 'changed' }
  })
  return {
    home,
    screen,
    written: () => written,
    type,
    async shows(text) {
      const isThere = () => (typeof text === 'string' ? screen.text().includes(text) : text.test(screen.text()))
      for (const begun = Date.now(); !isThere(); await wait(20))
        if (isOver || Date.now() - begun > 15_000) throw new Error(`${text} is not on the screen:\n${screen.text()}`)
      // The rest of the frame may be on its way.
      for (let seen = -1; seen !== written.length; await wait(40)) seen = written.length
    },
    async press(...keys) {
      for (const key of keys) {
        type(key)
        await wait(60)
      }
    },
    resize(newColumns, newRows) {
      screen.resize(newColumns, newRows)
      execFileSync('stty', ['-F', kept('.tty'), 'cols', String(newColumns), 'rows', String(newRows)])
    },
    signal: (name) => void process.kill(Number(kept('.pid')), name),
    ended,
  }
}
