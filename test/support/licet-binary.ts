import { mkdtempSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { compileCache } from './compile-cache.ts'

const root = join(import.meta.dirname, '../..')
export const binary = join(root, 'bin/licet.js')
const sources = ['cli', 'server', 'catalog-schema', 'build.config.ts', 'package.json']

let built: Promise<void> | null = null

/** Builds dist when a source is newer than it; once per test process, and harmless when several do it at a time. */
export function ensureBuilt(): Promise<void> {
  built ??= build()
  return built
}

async function build() {
  const age = await changedAt(join(root, 'dist/.built'))
  for (const source of sources) {
    if ((await newest(join(root, source))) > age) {
      await execa(process.execPath, ['build.config.ts'], { cwd: root })
      return
    }
  }
}

async function newest(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Math.max(...(await Promise.all([path, ...files].map(changedAt))))
}

async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  )
}

export interface Home {
  /** The user's home directory, empty at first. */
  directory: string
  /** Where environments.json is. */
  config: string
  variables: Record<string, string>
}

/** A home of its own, so that no test sees the settings of whoever runs it. */
export function freshHome(): Home {
  const directory = mkdtempSync(join(tmpdir(), 'licet-home-'))
  const config = join(directory, '.config', 'licet')
  const variables = { HOME: directory, PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache }
  return { directory, config, variables }
}

export interface LicetOptions {
  /** A fresh one unless the test goes on with one. */
  home?: Home
  env?: Record<string, string>
  /** The working directory; the home's own. */
  cwd?: string
  /** What is on stdin; nothing. */
  input?: string | Uint8Array
}

/** What a test reads of a run. */
export interface Ended {
  exitCode: number | undefined
  stdout: string
  stderr: string
  /** stdout as the one JSON document that it must be. */
  json(): ReturnType<typeof JSON.parse>
}

/** Runs the real binary to its end. */
export async function licet(
  args: string[],
  { home = freshHome(), env = {}, cwd, input = '' }: LicetOptions = {},
): Promise<Ended> {
  await ensureBuilt()
  const { exitCode, stdout, stderr } = await execa(process.execPath, [binary, ...args], {
    cwd: cwd ?? home.directory,
    extendEnv: false,
    env: { ...home.variables, ...env },
    reject: false,
    stripFinalNewline: false,
    input,
  })
  return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) }
}
