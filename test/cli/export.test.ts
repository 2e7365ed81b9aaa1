import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'

const text = 'a\u007fb\u0085c\u009bd\u2028e\ufefff\ufffeg\uffffh\u0001i\tj\u001b[31m\u202e'
let here: Environments

beforeAll(async () => {
  here = await serveEnvironments(['shop', 'other'])
  const data = JSON.stringify({
    productCode: 'A',
    name: 'A',
    description: text,
    propertyValues: { [text]: { value: text } },
  })
  const made = await here.run(['api', 'POST', '/api/v1/provision/admin/products', '--data', data, '--env', 'shop'])
  expect(made.stderr).toBe('')
})
afterAll(() => here.server.stop())

describe('text that holds control characters and non-characters', () => {
  test.each([
    ['the JSON of an export', 'a.json', ['catalog', 'export', '-', '--json', '--env', 'shop']],
    ['an export to stdout', 'a.yaml', ['catalog', 'export', '-', '--env', 'shop']],
    ['what the server answers', 'b.json', ['api', 'GET', '/api/v1/provision/admin/catalog/export', '--env', 'shop']],
    ['a JSON file', 'c.json', ['catalog', 'export', 'c.json', '--env', 'shop']],
    ['a YAML file', 'c.yaml', ['catalog', 'export', 'c.yaml', '--env', 'shop']],
    ['a directory', 'files', ['catalog', 'export', 'files', '--env', 'shop']],
  ])('%s is read back, and says the same', async (_, path, args) => {
    const exported = await here.run(args)
    expect(exported.exitCode).toBe(0)
    if (args.includes('-') || args[0] === 'api') here.put(path, exported.stdout)
    const same = await here.run(['catalog', 'diff', path, '--env', 'shop', '--exit-code', '--json'])
    expect(same.json().summary).toMatchObject({ create: 0, update: 0, unchanged: 1 })
    expect(same.exitCode).toBe(0)
  })

  test('is escaped in every JSON document, which a terminal may be shown', async () => {
    const { stdout, json } = await here.run(['catalog', 'export', '-', '--json', '--env', 'shop'])
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\u2028\u202e\ufeff\ufffe\uffff]/u)
    expect(json().products[0].description).toBe(text)
  })

  test('goes through a plan, and comes out as it was', async () => {
    await here.run(['catalog', 'export', 'planned', '--env', 'shop'])
    await here.run(['catalog', 'plan', 'planned', '--env', 'other', '--out', 'plan.json'])
    expect((await here.run(['catalog', 'plan', 'show', 'plan.json'])).stdout).not.toContain('\u009b')
    expect((await here.run(['catalog', 'apply', 'plan.json', '--env', 'other', '--yes'])).exitCode).toBe(0)
    const { products } = (await here.run(['catalog', 'export', '-', '--json', '--env', 'other'])).json()
    expect(products[0]).toMatchObject({ description: text, propertyValues: { [text]: { value: text } } })
  })
})

test('a directory comes with the schema that its files ask for; a layout made by hand with none, unless one asks for it', async () => {
  const names = (path: string) => readdirSync(join(here.home.directory, path)).sort()
  await here.run(['catalog', 'export', 'fresh', '--env', 'shop'])
  expect(names('fresh')).toEqual(['.catalog.schema.json', 'products'])
  here.put('hand/a.yaml', '# ours\nproducts:\n  - { productCode: A, name: old }\n')
  const args = ['catalog', 'export', 'hand', '--env', 'shop']
  expect((await here.run(args)).exitCode).toBe(0)
  expect(names('hand')).toEqual(['a.yaml'])
  const modeline = '# yaml-language-server: $schema=.catalog.schema.json\n'
  here.put('hand/a.yaml', modeline + readFileSync(join(here.home.directory, 'hand/a.yaml'), 'utf8'))
  await here.run(args)
  expect(names('hand')).toEqual(['.catalog.schema.json', 'a.yaml'])
  const { mtimeMs } = statSync(join(here.home.directory, 'hand/.catalog.schema.json'))
  await here.run(args)
  expect(statSync(join(here.home.directory, 'hand/.catalog.schema.json')).mtimeMs).toBe(mtimeMs)
})

test('what goes from the files is told, with the host of an environment that has no name', async () => {
  const plans = (names: string[]) => ({
    plans: [{ suiteCode: 'A', name: 'Standard', plans: names.map((name) => ({ name })) }],
  })
  here.put('set.json', JSON.stringify(plans(['Pro'])))
  expect((await here.run(['catalog', 'import', 'set.json', '--env', 'shop', '--yes'])).exitCode).toBe(0)
  const client = ['client', 'create', '--tenant', 'shop', '--name', 'ci', '--scope', 'admin.*:*', '--json']
  const { clientId, clientSecret } = (await here.run(client)).json()
  const env = {
    LICET_URL: `${here.server.url}/t/shop`,
    LICET_CLIENT_ID: clientId,
    LICET_CLIENT_SECRET: clientSecret,
  }
  here.put('more/set.json', JSON.stringify(plans(['Pro', 'Team'])))
  const { exitCode, stderr } = await here.run(['catalog', 'export', 'more', '--scope', 'plans'], { env })
  expect(exitCode).toBe(0)
  const gone = 'plan-set:A/Standard /plans/Team was only in the files, and is gone from them'
  expect(stderr).toContain(`${gone}: ${new URL(here.server.url).host} has none.`)
})
