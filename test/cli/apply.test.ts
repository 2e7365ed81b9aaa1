import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Environments } from '../support/served-environments.ts'
import { type Planned, planCatalogs, products } from './planned-catalog.ts'

let planned: Planned
let here: Environments
const read = (name: string) => planned.read(name)
const readPlan = (name: string) => planned.readPlan(name)
const plan = (out: string, ...more: string[]) => planned.plan(out, ...more)
const apply = (file: string, ...more: string[]) => planned.apply(file, ...more)
const importText = (text: string, env?: string) => planned.importText(text, env)
const reset = () => planned.reset()

beforeAll(async () => {
  planned = await planCatalogs()
  here = planned.here
})
afterAll(() => here.server.stop())

describe('applying a plan', () => {
  test('does exactly what it shows, and says so when it is applied again', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    const first = await apply('apply.json')
    expect(first.stdout).toMatch(/~ plan-set:CAD\/Standard +catalog\/all\.yaml:12/)
    expect(first.stdout).toMatch(/plans\/Pro\/monthlyPrice +49 → 59\n/)
    expect(first.stdout).toMatch(/Applied to production: import [0-9a-f-]{36}, revision \d+\.\n$/)
    expect((await here.run(['catalog', 'diff', 'catalog', '--env', 'production', '--exit-code'])).exitCode).toBe(0)
    const imports = await here.run(['api', 'GET', '/api/v1/provision/admin/catalog/imports', '--env', 'production'])
    const { digest, git: revision } = readPlan('apply.json')
    expect(imports.stdout).toContain(`plan ${digest.slice(0, 19)}, git ${revision!.revision.slice(0, 12)}`)

    const again = await apply('apply.json')
    expect(again.stdout).toBe('Already applied: production is as the plan makes it; nothing was changed.\n')
    expect(again.exitCode).toBe(0)
    const document = (await apply('apply.json', '--json')).json()
    expect(Object.keys(document).slice(0, 5)).toEqual([
      ...['importId', 'alreadyApplied', 'digest', 'alreadyThere', 'appliedBefore'],
    ])
    expect(document).toMatchObject({
      importId: null,
      alreadyApplied: true,
      digest,
      alreadyThere: ['product:CAD', 'plan-set:CAD/Standard'],
      appliedBefore: /import ([0-9a-f-]{36}),/.exec(first.stdout)![1],
      summary: { create: 0, update: 0 },
    })
  })

  test('an unrelated edit does not matter, nor one of an item that the files have and the plan does not change', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    await importText('products:\n  - productCode: CAM\n    description: edited since\n  - productCode: THIRD\n')
    const ended = (await apply('apply.json', '--json')).json()
    expect(ended).toMatchObject({ alreadyApplied: false, summary: { create: 0, update: 2 }, onlyHere: [] })
  })

  test('a key that it changes and that moved is refused, named with who moved it and when', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    await importText(products(55, '3'))
    const ended = await apply('apply.json')
    expect(ended.stderr).toMatch(
      /production has moved since the plan was made: what the plan changes changed; nothing was applied/,
    )
    expect(ended.stderr).toMatch(/plan-set:CAD\/Standard: changed 20\d\d-\d\d-\d\dT\S+ by tests$/m)
    expect(ended.stderr).toMatch(/Try: make the plan again/)
    expect(ended.exitCode).toBe(1)
    const document = (await apply('apply.json', '--json')).json()
    expect(document.error).toMatchObject({
      code: 3005,
      codeName: 'catalog.environment_changed',
      errors: [{ key: 'plan-set:CAD/Standard', changedAt: expect.any(String), changedBy: expect.any(String) }],
    })
    expect((await here.run(['catalog', 'diff', 'given.yaml', '--env', 'production', '--exit-code'])).exitCode).toBe(0)
  })

  test('a product that was locked since is named with who locked it and when', async () => {
    await reset()
    await importText('products:\n  - productCode: LOCKED\n    description: as it was\n')
    here.put('locked.yaml', 'products:\n  - productCode: LOCKED\n    description: new\n')
    await plan('locked.json', 'locked.yaml')
    const { items } = await here.ask('production', 'GET', 'products?filter=productCode%3D%3DLOCKED')
    await here.ask('production', 'POST', `products/${items[0].id}/lock`)
    const ended = await apply('locked.json')
    expect(ended.stderr).toMatch(/product:LOCKED: changed 20\d\d-\d\d-\d\dT\S+ by tests$/m)
    await here.ask('production', 'POST', `products/${items[0].id}/unlock`)
  })

  test('what others did of it already is left, the rest is applied', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    await importText(
      products(49, '3').replace("        value: '3'\n  - productCode: CAM", "        value: '5'\n  - productCode: CAM"),
    )
    const ended = await apply('apply.json')
    expect(ended.stdout).toMatch(/1 of the plan's 2 items are there already\./)
    expect(ended.stdout).not.toMatch(/features\/SEATS/)
    expect(ended.exitCode).toBe(0)
    expect((await here.run(['catalog', 'diff', 'catalog', '--env', 'production', '--exit-code'])).exitCode).toBe(0)
  })

  test('two at a time: one applies it, the other says that it is applied', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    const both = await Promise.all([apply('apply.json', '--json'), apply('apply.json', '--json')])
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    expect(both.map((ended) => ended.json().alreadyApplied).sort()).toEqual([false, true])
  })

  test('one that was applied, and whose change was put back since, says so and by whom before it is applied anew', async () => {
    await reset()
    await importText('products:\n  - productCode: PUTBACK\n    description: as it was\n')
    writeFileSync(
      join(here.home.directory, 'put-back.yaml'),
      'products:\n  - productCode: PUTBACK\n    description: new\n',
    )
    await plan('put-back.json', 'put-back.yaml')
    const first = (await apply('put-back.json', '--json')).json()
    expect(first.appliedBefore).toBeNull()
    await importText('products:\n  - productCode: PUTBACK\n    description: as it was\n')
    const again = await apply('put-back.json')
    expect(again.stderr.replaceAll(/\s+(?:›\s+)?/g, ' ')).toContain(
      `This plan was applied before: import ${first.importId}, `,
    )
    expect(again.stderr.replaceAll(/\s+(?:›\s+)?/g, ' ')).toContain(
      'by tests. What it changes has been put back since.',
    )
    expect(again.stdout).toMatch(/Applied to production/)
    expect(again.exitCode).toBe(0)
    await importText('products:\n  - productCode: PUTBACK\n    description: as it was\n')
    expect((await apply('put-back.json', '--json')).json().appliedBefore).toEqual(expect.any(String))
  })

  test('another tenant than the plan is for is refused before anything is sent there', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    const ended = await apply('apply.json', '--env', 'staging', '--json')
    expect(ended.json().error).toMatchObject({ codeName: 'cli.wrong_tenant' })
    expect(ended.json().error.message).toContain(
      `The plan is for tenant ${here.tenantIds.production} ("production" where it was made), but staging is tenant ${here.tenantIds.staging}`,
    )
    expect(ended.exitCode).toBe(1)
  })

  test('one with nothing to do is written, and applying it says so', async () => {
    await reset()
    const made = await here.run([
      'catalog',
      'plan',
      'before.yaml',
      '--env',
      'production',
      '--out',
      'nothing.json',
      '--exit-code',
    ])
    expect(made.stdout).toMatch(/Nothing to do: [\s\S]*Wrote nothing\.json/)
    expect(made.exitCode).toBe(0)
    const ended = await apply('nothing.json')
    expect(ended.stdout).toBe('Nothing to do: the plan changes nothing.\n')
    expect((await apply('nothing.json', '--json')).json()).toMatchObject({
      importId: null,
      alreadyApplied: false,
      items: [],
    })
  })

  test('where nobody can be asked the plan is word enough', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    const ended = await here.run(['catalog', 'apply', 'apply.json'])
    expect(ended.stdout).toMatch(/Applied to production: import /)
    expect(ended.exitCode).toBe(0)
    expect((await here.run(['catalog', 'apply', 'apply.json'])).stdout).toMatch(/^Already applied: /)
  })
})

test('no secret is in a plan or in what making and applying it prints', async () => {
  await reset()
  const { environments } = JSON.parse(readFileSync(join(here.home.config, 'environments.json'), 'utf8'))
  const secret: string = environments.production.clientSecret
  expect(secret.length).toBeGreaterThan(10)
  const outputs = [
    await plan('secret.json', 'catalog', '--json'),
    await plan('secret.json', 'catalog'),
    await here.run(['catalog', 'plan', 'show', 'secret.json']),
    await apply('secret.json', '--json'),
  ].flatMap(({ stdout, stderr }) => [stdout, stderr])
  for (const text of [...outputs, read('secret.json')]) {
    expect(text).not.toContain(secret)
    expect(text).not.toMatch(/eyJ[\w-]{10,}\./)
    expect(text).not.toContain(environments.production.clientId)
  }
  const env = {
    LICET_URL: `http://user:canary@127.0.0.1:1/t/x`,
    LICET_CLIENT_ID: 'c',
    LICET_CLIENT_SECRET: 'canary-secret',
  }
  const refused = await here.run(['catalog', 'plan', 'catalog', '--out', 'userinfo.json'], { env })
  expect(refused.exitCode).toBe(1)
  expect(refused.stdout + refused.stderr).not.toContain('canary')
})
