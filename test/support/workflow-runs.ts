import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { load } from 'js-yaml'

interface Step {
  name?: string
  id?: string
  if?: string
  uses?: string
  run?: string
  env?: Record<string, string>
}

export interface Workflow {
  on: Record<string, unknown>
  permissions: object
  jobs: Record<
    string,
    { permissions?: Record<string, string>; concurrency?: object; environment?: string; steps: Step[]; if?: string }
  >
}

/** What a job left behind. */
export interface JobRun {
  /** The name of the step that failed; undefined when all went well. */
  failed: string | undefined
  outputs: Record<string, string>
  summary: string
  /** Everything that the steps wrote. */
  log: string
}

export interface JobOptions {
  cwd: string
  /** What is found in the middle of `${{ … }}`: `secrets.X`, `inputs.x`; what is not here is empty, as on GitHub. */
  contexts: Record<string, string>
  /** Variables of every step, PATH among them. */
  variables: Record<string, string>
}

export const readWorkflow = (text: string) => load(text) as Workflow

/**
 * Runs the `run:` steps of a job one after the other, as GitHub does: bash with -e and pipefail, with the files for
 * outputs, paths and summaries. Of conditions only those on outputs of earlier steps are understood.
 */
export async function runJob(
  workflow: Workflow,
  name: string,
  { cwd, contexts, variables }: JobOptions,
): Promise<JobRun> {
  const temporary = mkdtempSync(join(tmpdir(), 'licet-runner-'))
  const file = (called: string) => join(temporary, called)
  const run: JobRun = { failed: undefined, outputs: {}, summary: '', log: '' }
  for (const called of ['path', 'summary']) writeFileSync(file(called), '')
  const steps = workflow.jobs[name]!.steps.filter((step) => step.run !== undefined)
  for (const [at, step] of steps.entries()) {
    const wanted = /steps\.\w+\.outputs\.(\w+)/.exec(step.if ?? '')?.[1]
    if (wanted !== undefined ? !run.outputs[wanted] : run.failed !== undefined) continue
    const output = file(`output-${at}`)
    const paths = readFileSync(file('path'), 'utf8').split('\n').filter(Boolean).reverse()
    const { exitCode, all } = await execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run!], {
      cwd,
      all: true,
      reject: false,
      extendEnv: false,
      env: {
        ...variables,
        ...Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value, contexts)])),
        PATH: [...paths, variables.PATH].join(':'),
        GITHUB_ACTIONS: 'true',
        CI: 'true',
        GITHUB_OUTPUT: output,
        GITHUB_PATH: file('path'),
        GITHUB_STEP_SUMMARY: file('summary'),
        GITHUB_WORKSPACE: cwd,
        RUNNER_TEMP: temporary,
      },
    })
    run.log += `${all}\n`
    if (existsSync(output)) Object.assign(run.outputs, readOutputs(readFileSync(output, 'utf8')))
    if (exitCode !== 0) run.failed ??= step.name ?? step.run
  }
  run.summary = readFileSync(file('summary'), 'utf8')
  return run
}

function filled(text: string, contexts: Record<string, string>): string {
  return text.replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => contexts[name] ?? '')
}

const readOutputs = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

/** Runs git where nobody's settings reach. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const names = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Test'],
    [`GIT_${role}_EMAIL`, 'test@example.com'],
  ])
  const env = { ...Object.fromEntries(names), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  return (await execa('git', args, { cwd, env })).stdout
}
