import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { licet } from '../support/licet-binary.ts'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'

const catalog = (price: number, seats: string, status: string) => `products:
  - productCode: CAD
    name: CAD
    status: ${status}
plans:
  - suiteCode: CAD
    name: Standard
    status: Published
    plans:
      - name: Pro
        currency: EUR
        monthlyPrice: ${price}
        lineItems: [{featureValues: [{featureCode: SEATS, value: '${seats}'}]}]
featureCatalog:
  - {productCode: CAD, featureCode: SEATS, name: Seats, featureType: Numeric}
`
const old = catalog(49, '3', 'Published')
const priced = catalog(59, '3', 'Published')
const revalued = catalog(59, '5', 'Published')
const all = ['--allow-price-change', '--allow-retire', '--allow-revalue']
const confirm = ['--confirm', 'production']

let here: Environments
const addEnvironment = async (name: string, tenant: string, ...flags: string[]) => {
  const made = await licet(['client', 'create', '--tenant', tenant, '--name', name, '--scope', 'admin.*:*', '--json'], {
    home: here.home,
  })
  const { clientId, clientSecret } = made.json()
  const args = [
    'env',
    'add',
    name,
    '--url',
    `${here.server.url}/t/${tenant}`,
    '--client-id',
    clientId,
    '--force',
    ...flags,
  ]
  expect((await here.run([...args, '--client-secret-file', '-'], { input: clientSecret })).exitCode).toBe(0)
}
const send = (deed: string, text: string) =>
  here.ask('production', 'POST', `catalog/${deed}`, { formatVersion: '1.0', ...(load(text) as object) })
const isAt = async (text: string) => (await send('compare', text)).items.length === 0
/** Production at the old prices again, whatever was sold. */
const reset = async () => {
  await send('import', old)
  expect(await isAt(old)).toBe(true)
}

beforeAll(async () => {
  here = await serveEnvironments(['staging', 'production'])
  await addEnvironment('production', 'production', '--protected')
  here.put('old.yaml', old)
  here.put('priced.yaml', priced)
  here.put('revalued.yaml', revalued)
  here.put('retired.yaml', catalog(49, '3', 'Retired'))
  await here.run(['catalog', 'import', 'revalued.yaml', '--env', 'staging', '--yes'])
  await here.run(['catalog', 'import', 'old.yaml', '--env', 'production', ...confirm])
})
afterAll(() => here.server.stop())

describe('a protected environment', () => {
  const ways: [name: string, args: () => Promise<string[]>][] = [
    ['import', async () => ['catalog', 'import', 'revalued.yaml', '--env', 'production']],
    ['promote', async () => ['catalog', 'promote', '--from', 'staging', '--to', 'production']],
    [
      'apply',
      async () => {
        await here.run(['catalog', 'plan', 'revalued.yaml', '--env', 'production', '--out', 'plan.json'])
        return ['catalog', 'apply', 'plan.json']
      },
    ],
  ]
  test.each(ways)(
    'is changed by %s with its name and a word for what hurts, and not before',
    async (_name, argsFor) => {
      await reset()
      const args = await argsFor()
      const unsaid = await here.run([...args, ...confirm])
      expect(unsaid.stderr).toMatch(
        /2 changes need to be allowed in "production", which is protected; nothing was changed\.\n {2}plan-set:CAD\/Standard \/plans\/Pro\/monthlyPrice: 49 → 59 needs --allow-price-change\n {2}plan-set:CAD\/Standard \S+: "3" → "5" needs --allow-revalue\n {2}Try: --allow-price-change --allow-revalue\n/,
      )
      expect(unsaid.exitCode).toBe(1)
      const half = (await here.run([...args, ...confirm, '--allow-price-change', '--json'])).json()
      expect(half.error).toMatchObject({
        codeName: 'cli.guarded',
        hint: '--allow-revalue',
        errors: [{ key: 'plan-set:CAD/Standard', flag: '--allow-revalue', before: '3', after: '5' }],
      })
      const words = ['--allow-price-change', '--allow-revalue']
      const unnamed = await here.run([...args, ...words, '--yes'])
      expect(unnamed.stderr).toMatch(
        /"production" is protected, where --yes is not enough[\s\S]*Try: --confirm production/,
      )
      expect(unnamed.exitCode).toBe(1)
      expect((await here.run([...args, ...words, '--confirm', 'staging'])).stderr).toMatch(/"staging" is not the name/)
      expect((await here.run([...args, ...words])).stderr).toMatch(
        /nobody can be asked[\s\S]*Try: --confirm production/,
      )
      expect(await isAt(old)).toBe(true)
      expect((await here.run([...args, ...words, ...confirm])).exitCode).toBe(0)
      expect(await isAt(revalued)).toBe(true)
    },
  )

  test('is told of beforehand by diff and plan', async () => {
    await reset()
    const notice =
      /Warning: "production" is protected: this needs --allow-price-change \(1 change\), --allow-revalue \(1 change\)\./
    expect((await here.run(['catalog', 'diff', 'revalued.yaml', '--env', 'production'])).stderr).toMatch(notice)
    const args = ['catalog', 'plan', 'revalued.yaml', '--env', 'production', '--out', 'plan.json']
    const planned = await here.run(args)
    expect(planned.stderr).toMatch(notice)
    expect(planned.stdout).toMatch(
      /Next: licet catalog apply plan\.json --confirm production --allow-price-change --allow-revalue\n$/,
    )
    expect((await here.run([...args, '--json'])).json().needs).toEqual(['--allow-price-change', '--allow-revalue'])
    expect((await here.run(['catalog', 'diff', 'old.yaml', '--env', 'staging'])).stderr).not.toMatch(/allow/)
  })

  test('asks for no word where only something new comes, and for one where something sold is retired', async () => {
    await reset()
    here.put('new.yaml', 'products:\n  - productCode: NEW\n')
    expect((await here.run(['catalog', 'import', 'new.yaml', '--env', 'production', ...confirm])).exitCode).toBe(0)
    const args = ['catalog', 'import', 'retired.yaml', '--env', 'production', ...confirm]
    expect((await here.run(args)).stderr).toMatch(/product:CAD \/status: "Published" → "Retired" needs --allow-retire/)
    expect((await here.run([...args, '--allow-price-change'])).exitCode).toBe(1)
    // Kept from happening: a retired product stays retired.
    expect(await isAt(old)).toBe(true)
  })

  test('a product that is locked there is unlocked with a word alone, by what is promoted, too', async () => {
    here.put('open.yaml', 'products:\n  - productCode: KEPT\n    name: As in staging\n')
    await here.run(['catalog', 'import', 'open.yaml', '--env', 'staging', '--yes'])
    const locked = { productCode: 'KEPT', name: 'As signed', isLocked: true }
    await here.ask('production', 'POST', 'catalog/import', { formatVersion: '1.0', products: [locked] })
    const args = ['catalog', 'promote', '--from', 'staging', '--to', 'production', '--only', 'product:KEPT', ...confirm]
    const refused = await here.run(args)
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        / {2}product:KEPT \/isLocked: true → false needs --allow-unlock\n {2}Try: --allow-unlock\n/,
      ),
    ])
    expect((await here.run([...args, '--allow-unlock'])).exitCode).toBe(0)
  })

  test('an environment that is not protected asks for none of it', async () => {
    const ended = await here.run(['catalog', 'import', 'retired.yaml', '--env', 'staging', '--yes'])
    expect(ended.exitCode).toBe(0)
  })
})

describe('an environment that names the tenant it expects', () => {
  beforeAll(async () => {
    await addEnvironment('mixed', 'staging', '--tenant-id', here.tenantIds.production!)
    await here.run(['catalog', 'plan', 'priced.yaml', '--env', 'production', '--out', 'plan.json'])
  })
  test.each([
    ['plan', ['catalog', 'plan', 'priced.yaml', '--env', 'mixed', '--out', 'x.json']],
    ['plan from it', ['catalog', 'plan', '--from', 'mixed', '--env', 'production', '--out', 'x.json']],
    ['apply', ['catalog', 'apply', 'plan.json', '--env', 'mixed', '--yes']],
    ['import', ['catalog', 'import', 'priced.yaml', '--env', 'mixed', '--yes']],
    ['promote to it', ['catalog', 'promote', '--from', 'production', '--to', 'mixed', '--yes']],
    ['promote from it', ['catalog', 'promote', '--from', 'mixed', '--to', 'production', ...confirm, ...all]],
    ['diff', ['catalog', 'diff', 'priced.yaml', '--env', 'mixed', '--only', 'product:*']],
  ])('%s stops when another answers', async (_name, args) => {
    const ended = await here.run([...args, '--json'])
    expect(ended.json().error).toMatchObject({ codeName: 'cli.wrong_tenant' })
    expect(ended.json().error.message).toContain(here.tenantIds.production)
    expect(ended.exitCode).toBe(1)
  })
})

test('a plan for a protected environment asks for its name, by whatever URL it is applied', async () => {
  await reset()
  expect((await here.run(['catalog', 'plan', 'priced.yaml', '--env', 'production', '--out', 'p.json'])).exitCode).toBe(
    0,
  )
  const made = await licet(
    ['client', 'create', '--tenant', 'production', '--name', 'x', '--scope', 'admin.*:*', '--json'],
    {
      home: here.home,
    },
  )
  const { clientId, clientSecret } = made.json()
  const url = `${here.server.url.replace('127.0.0.1', 'localhost')}/t/production`
  const env = { LICET_URL: url, LICET_CLIENT_ID: clientId, LICET_CLIENT_SECRET: clientSecret }
  const refused = await here.run(['catalog', 'apply', 'p.json', '--yes', ...all], { env })
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('--confirm production')])
  expect(await isAt(old)).toBe(true)
  const applied = await here.run(['catalog', 'apply', 'p.json', ...confirm, ...all], { env })
  expect([applied.exitCode, applied.stderr]).toEqual([0, expect.any(String)])
  expect(await isAt(priced)).toBe(true)
})
