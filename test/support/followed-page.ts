import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect } from 'vitest'
import type { Home } from './licet-binary.ts'

const root = join(import.meta.dirname, '../..')

interface Command {
  line: string
  exitCode: number
}
export interface Ended extends Command {
  stdout: string
  stderr: string
}

/** The commands of each part of a page, in order; a comment after one may say what it exits with. */
const readPage = (file: string) =>
  new Map(
    readFileSync(file, 'utf8')
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const blocks = [...part.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
          block.trimEnd().split('\n'),
        )
        const commands = blocks.map((line): Command => {
          const [, command = line, code] = /^(.*?) # exits with (\d+): .*$/.exec(line) ?? []
          return { line: command, exitCode: Number(code ?? 0) }
        })
        return [part.split('\n', 1)[0]!, commands] as const
      }),
  )

export interface FollowedPage {
  /** The parts that were followed, in order. */
  followed: string[]
  shell(line: string): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }>
  /** Runs the commands of a part of the page, in which some names stand for other text; each must end as the page says. */
  follow(part: string, names?: Record<string, string>): Promise<Ended[]>
}

/** Follows a page in a directory, with `licet` on the path (for `npx` too), as its reader would. */
export function followPage(
  page: string,
  home: Home,
  cwd: string,
  variables: Record<string, string> = {},
): FollowedPage & { parts: ReturnType<typeof readPage> } {
  const parts = readPage(page)
  const commands = join(home.directory, 'bin')
  mkdirSync(commands)
  writeFileSync(join(commands, 'licet'), `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/licet.js')}' "$@"\n`)
  // What npx would find beside the application is on the path.
  writeFileSync(join(commands, 'npx'), '#!/bin/sh\nexec "$@"\n')
  for (const command of ['licet', 'npx']) chmodSync(join(commands, command), 0o755)
  const env = { ...home.variables, PATH: `${commands}:${home.variables.PATH}`, ...variables }
  const followed: string[] = []
  /** What a shell keeps from line to line. */
  const kept: string[] = []
  const shell = async (line: string) => {
    const options = { cwd, extendEnv: false, env, reject: false, stripFinalNewline: false } as const
    const { exitCode, stdout, stderr } = await execa('sh', ['-c', [...kept, line].join('\n')], options)
    return { exitCode, stdout, stderr }
  }
  return {
    parts,
    followed,
    shell,
    async follow(part, names = {}) {
      followed.push(part)
      const ended: Ended[] = []
      for (const { line, exitCode } of parts.get(part) ?? []) {
        const command = Object.entries(names).reduce((text, [name, value]) => text.replaceAll(name, value), line)
        const { stdout, stderr, ...actual } = await shell(command)
        expect([command, actual.exitCode], stdout + stderr).toEqual([command, exitCode])
        if (/^(?:cd|export) /.test(command)) kept.push(command)
        ended.push({ line, exitCode, stdout, stderr })
      }
      return ended
    },
  }
}
