import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import type { PlanFile } from '../../cli/plan-files/plan-file.ts'
import type { licet } from '../support/licet-binary.ts'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'

/** A small catalog with a price and a value that change. */
export const products = (price: number, seats: string) => `products:
  - productCode: CAD
    name: CAD
    tags: [Beta, Alpha]
    features:
      - featureCode: SEATS
        featureType: Numeric
        value: '${seats}'
  - productCode: CAM
    name: CAM
plans:
  - suiteCode: CAD
    name: Standard
    status: Published
    plans:
      - name: Pro
        currency: EUR
        monthlyPrice: ${price}
        lineItems:
          - featureValues:
              - featureCode: SEATS
                value: '${seats}'
      - name: Free
        monthlyPrice: 0
`
/** The same at 59 and 5, written by somebody else. */
export const rewritten = `plans:
  - name: Standard
    plans:
      - {name: Free, monthlyPrice: 0}
      - lineItems: [{featureValues: [{value: "5", featureCode: SEATS}]}]
        monthlyPrice: 59
        currency: EUR
        name: Pro
    status: Published
    suiteCode: CAD
products:
  - name: CAM
    productCode: CAM
  - tags: [Alpha, Beta]
    features: [{value: "5", featureType: Numeric, featureCode: SEATS}]
    name: CAD
    productCode: CAD
`

type Run = ReturnType<typeof licet>

/** A catalog in a git repository, and staging and production on a server that it is planned for. */
export interface Planned {
  here: Environments
  /** A file's path, its text, and the plan in it. */
  path(name: string): string
  read(name: string): string
  readPlan(name: string): PlanFile
  git(...words: string[]): string
  plan(out: string, ...more: string[]): Run
  apply(file: string, ...more: string[]): Run
  /** Leaves the text in given.yaml too. */
  importText(text: string, env?: string): Promise<void>
  /** Makes production as it is before each story. */
  reset(): Promise<void>
}

export async function planCatalogs(): Promise<Planned> {
  const here = await serveEnvironments(['staging', 'production'])
  const path = (name: string) => join(here.home.directory, name)
  const read = (name: string) => readFileSync(path(name), 'utf8')
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...words], {
      cwd: here.home.directory,
    }).toString()
  const importText = async (text: string, env = 'production') => {
    here.put('given.yaml', text)
    await here.ask(env, 'POST', 'catalog/import', { formatVersion: '1.0', ...(load(text) as object) })
  }
  here.put('before.yaml', products(49, '3'))
  here.put('catalog/all.yaml', products(59, '5'))
  git('init', '-q')
  git('add', 'catalog')
  git('commit', '-q', '-m', 'catalog')
  return {
    here,
    path,
    read,
    readPlan: (name) => JSON.parse(read(name)),
    git,
    plan: (out, ...more) => here.run(['catalog', 'plan', '--env', 'production', '--out', out, ...more]),
    apply: (file, ...more) => here.run(['catalog', 'apply', file, '--yes', ...more]),
    importText,
    reset: () => importText(products(49, '3')),
  }
}
