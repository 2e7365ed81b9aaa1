import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Environments, serveEnvironments, testMasterKey } from '../support/served-environments.ts'
import { forEachStore } from '../support/stores.ts'

const root = join(import.meta.dirname, '../..')
const example = join(root, 'examples/release')

interface Command {
  line: string
  exitCode: number
}
interface Ended extends Command {
  stdout: string
  stderr: string
}

/** The commands of each part of the page, in order; a comment after one may say what it exits with. */
const parts = new Map(
  readFileSync(join(example, 'README.md'), 'utf8')
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

forEachStore(({ createDatabase }) => {
  let here: Environments
  let project: string
  const variables: Record<string, string> = {}
  const followed: string[] = []

  beforeAll(async () => {
    here = await serveEnvironments(['staging', 'production'], {
      LICET_DATABASE_URL: await createDatabase(),
      LICET_MASTER_KEY: testMasterKey,
    })
    const { directory } = here.home
    project = join(directory, 'project')
    cpSync(example, project, { recursive: true })
    const settings = readFileSync(join(project, 'licet.yaml'), 'utf8')
    writeFileSync(join(project, 'licet.yaml'), settings.replaceAll('http://127.0.0.1:7070', here.server.url))
    const commands = join(directory, 'bin')
    mkdirSync(commands)
    writeFileSync(
      join(commands, 'licet'),
      `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/licet.js')}' "$@"\n`,
    )
    chmodSync(join(commands, 'licet'), 0o755)
    Object.assign(variables, here.home.variables, {
      PATH: `${commands}:${here.home.variables.PATH}`,
      GITHUB_STEP_SUMMARY: join(directory, 'summary.md'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A release manager',
      GIT_AUTHOR_EMAIL: 'release@acme.example',
      GIT_COMMITTER_NAME: 'A release manager',
      GIT_COMMITTER_EMAIL: 'release@acme.example',
    })
    await shell('git init --quiet --initial-branch main && git add . && git commit --quiet --message Begin')
  })
  afterAll(() => here.server.stop())

  async function shell(line: string) {
    const options = { cwd: project, extendEnv: false, env: variables, reject: false, stripFinalNewline: false } as const
    const { exitCode, stdout, stderr } = await execa('sh', ['-c', line], options)
    return { exitCode, stdout, stderr }
  }

  /** Runs the commands of a part of the page, in which some names stand for ids; each must end as the page says. */
  async function follow(part: string, ids: Record<string, string> = {}): Promise<Ended[]> {
    followed.push(part)
    const ended: Ended[] = []
    for (const { line, exitCode } of parts.get(part) ?? []) {
      const command = Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(name, id), line)
      const { stdout, stderr, ...actual } = await shell(command)
      expect([command, actual.exitCode], stdout + stderr).toEqual([command, exitCode])
      ended.push({ line, exitCode, stdout, stderr })
    }
    return ended
  }
  const document = async (line: string) => JSON.parse((await shell(`${line} --json`)).stdout)
  const price = async (env: string) =>
    (await document(`licet catalog export - --env ${env}`)).plans[0].plans[0].monthlyPrice
  const revision = async () => (await shell('git rev-parse --short HEAD')).stdout.trim()

  test('a change goes from a branch to production as it was reviewed, is watched, and is taken back', {
    timeout: 180_000,
  }, async () => {
    const [, , , begun] = await follow('Begin')
    expect(begun!.stdout).toMatch(/\n3 to create, 0 to update .*\nImported into production: import /s)
    expect([await price('staging'), await price('production')]).toEqual([49, 49])

    await follow('Change')
    const [offline, , github] = await follow('Review')
    expect(offline!.stdout).toMatch(/plans\/Pro\/monthlyPrice +49 → 59/)
    const comment = readFileSync(join(here.home.directory, 'comment.md'), 'utf8')
    expect(comment).toMatch(/^<!-- licet:diff:staging -->\n/)
    expect(comment).toMatch(/`plans\/Pro\/monthlyPrice`: `49 → 59`/)
    expect(github!.stdout).toMatch(/^::warning file=catalog\/acme-cad\.yaml,line=\d+,.*49 → 59/m)
    expect(readFileSync(variables.GITHUB_STEP_SUMMARY!, 'utf8')).toContain(comment.trim())

    await follow('Merge')
    expect([await price('staging'), await price('production')]).toEqual([59, 49])
    const [merged] = (await document('licet catalog history --env staging')).imports
    expect(merged.source).toBe(await revision())

    const [planned, shown] = await follow('Plan')
    expect(planned!.stderr).toMatch(/production" is protected: this needs --allow-price-change/)
    expect(shown!.stdout).toMatch(/plans\/Pro\/monthlyPrice +49 → 59/)
    const [guarded, , again] = await follow('Apply')
    expect(guarded!.stderr).toContain('--allow-price-change')
    expect(again!.stdout).toMatch(/^Already applied: /)
    expect(await price('production')).toBe(59)
    const [applied] = (await document('licet catalog history --env production')).imports

    const products = await document('licet api GET /api/v1/provision/admin/products --env production')
    const [quiet, , drifted, putBack] = await follow('Watch', { PRODUCT_ID: products.items[0].id })
    expect(quiet!.stdout).toContain(`Nothing has changed since import ${applied.id}`)
    expect(drifted!.stdout).toMatch(/~ product ACME-CAD@2\.0 +tests, \S+Z\n/)
    expect(drifted!.stdout).toMatch(
      /description +"Draws, computes and exports\." → "By hand".*importing the files puts it back/s,
    )
    expect(readFileSync(variables.GITHUB_STEP_SUMMARY!, 'utf8')).toContain('<!-- licet:drift:production -->')
    expect(putBack!.stdout).toMatch(/"By hand" → "Draws, computes and exports\."/)

    const [history, report, rolledBack, , same] = await follow('Take it back', { IMPORT_ID: applied.id })
    expect(history!.stdout).toContain('drift put back')
    expect(report!.stdout).toMatch(/plans\/Pro\/monthlyPrice +49 → 59/)
    expect(rolledBack!.stdout).toMatch(/plans\/Pro\/monthlyPrice +59 → 49/)
    expect(same!.stdout).toMatch(/Nothing to do/)
    expect([await price('staging'), await price('production')]).toEqual([49, 49])
    expect(followed).toEqual([...parts.keys()])
  })
})
