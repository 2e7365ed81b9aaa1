import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Environments, serveEnvironments, testMasterKey } from '../support/served-environments.ts'
import { forEachStore } from '../support/stores.ts'

const product = (seats: string) => `products:
  - productCode: PRO
    productVersion: '2'
    name: Pro
    description: ${seats} seats
featureCatalog:
  - productCode: PRO
    productVersion: '2'
    featureCode: SEATS
    name: Seats
    featureType: Numeric
`
const plans = (price: number) => `plans:
  - suiteCode: PRO@2
    name: Standard
    plans:
      - name: Team
        monthlyPrice: ${price}
        currency: EUR
        lineItems:
          - productCode: PRO
            productVersion: '2'
            featureValues:
              - featureCode: SEATS
                value: '5'
`

forEachStore(({ createDatabase }) => {
  let here: Environments
  beforeAll(async () => {
    here = await serveEnvironments(['staging', 'production'], {
      LICET_DATABASE_URL: await createDatabase(),
      LICET_MASTER_KEY: testMasterKey,
    })
    here.put('licet.yaml', 'catalog: catalog\n')
  })
  afterAll(() => here.server.stop())

  const json = async (...args: string[]) => {
    const ended = await here.run([...args, '--json'])
    return { ...ended, value: ended.json() }
  }
  const promote = ['catalog', 'promote', '--from', 'staging', '--to', 'production']

  test('a catalog goes from files to staging to production, each step shown, the last finding nothing to do', async () => {
    here.put('catalog/product.yaml', product('3'))
    here.put('catalog/sub/plans.yaml', plans(49))
    const first = await json('catalog', 'import', '--env', 'staging', '--yes')
    expect(first.value).toMatchObject({
      importId: expect.any(String),
      summary: { create: 3, update: 0, errors: 0 },
      targetTenantId: here.tenantIds.staging,
    })
    expect(first.value.items.map(({ key }: { key: string }) => key)).toEqual([
      'product:PRO@2',
      'feature:PRO@2/SEATS',
      'plan-set:PRO@2/Standard',
    ])

    here.put('catalog/sub/plans.yaml', plans(59))
    const shown = await here.run(['catalog', 'diff', '--env', 'staging', '--exit-code'])
    expect(shown.exitCode).toBe(2)
    expect(shown.stdout).toMatch(/^staging \(tenant staging, revision \d+\) {3}3 items compared in \d+\.\d\d s\n\n/)
    expect(shown.stdout).toMatch(
      /^~ plan-set:PRO@2\/Standard +catalog\/sub\/plans\.yaml:2\n {4}plans\/Team\/monthlyPrice {4}49 → 59\n/m,
    )
    expect(shown.stdout).toMatch(
      /\n0 to create, 1 to update \(1 field\), 2 unchanged\.\nNext: licet catalog plan --env staging --out plan\.json\n$/,
    )
    const second = await json('catalog', 'import', '--env', 'staging', '--yes')
    expect(second.value.items).toMatchObject([
      { key: 'plan-set:PRO@2/Standard', changes: [{ path: '/plans/Team/monthlyPrice', before: 49, after: 59 }] },
    ])
    expect(second.value.environmentRevision).not.toBe(first.value.environmentRevision)

    const promoted = await json(...promote, '--yes')
    expect(promoted.value).toMatchObject({
      importId: expect.any(String),
      summary: { create: 3, update: 0 },
      sourceTenantId: here.tenantIds.staging,
      targetTenantId: here.tenantIds.production,
    })
    const again = await json(...promote)
    expect(again.exitCode).toBe(0)
    expect(again.value).toMatchObject({ importId: null, items: [], summary: { create: 0, update: 0, unchanged: 3 } })
    expect(again.value.environmentRevision).toBe(promoted.value.environmentRevision)
    expect((await here.run(promote)).stdout).toMatch(/\nNothing to do: 3 items are the same\.\n$/)
  })

  test('an import that has nothing to do says so, asks nobody and writes nothing', async () => {
    const before = (await json('catalog', 'diff', '--env', 'staging')).value.environmentRevision
    const imports = () => json('api', 'GET', '/api/v1/provision/admin/catalog/imports', '--env', 'staging')
    const known = (await imports()).value
    const ended = await json('catalog', 'import', '--env', 'staging')
    expect(ended.exitCode).toBe(0)
    expect(ended.value).toMatchObject({ importId: null, environmentRevision: before })
    expect((await imports()).value).toEqual(known)
  })

  test('what only production has stays there, and is shown', async () => {
    here.put('extra.yaml', 'tags:\n  - scope: Product\n    name: legacy\n')
    await here.run(['catalog', 'import', 'extra.yaml', '--env', 'production', '--yes'])
    here.put('catalog/product.yaml', product('4'))
    await here.run(['catalog', 'import', '--env', 'staging', '--yes'])
    const ended = await here.run([...promote, '--yes'])
    expect(ended.stdout).toMatch(/^· tag:Product\/legacy +only in production \(an import never removes\)$/m)
    expect(ended.stdout).toMatch(/description {4,}"3 seats" → "4 seats"/)
    expect(ended.exitCode).toBe(0)
    const tags = await json('catalog', 'export', '-', '--env', 'production', '--scope', 'tags')
    expect(tags.value.tags).toMatchObject([{ name: 'legacy' }])
  })

  test('an export of an environment changes nothing when it is imported there, and touches no file the second time', async () => {
    const first = await json('catalog', 'export', 'exported', '--env', 'production')
    expect(first.value.written).toContain('products/pro@2.yaml')
    const file = () => readFileSync(join(here.home.directory, 'exported/products/pro@2.yaml'), 'utf8')
    const text = file()
    expect((await here.run(['catalog', 'validate', 'exported'])).exitCode).toBe(0)
    expect((await here.run(['catalog', 'diff', 'exported', '--env', 'production', '--exit-code'])).exitCode).toBe(0)
    const second = await json('catalog', 'export', 'exported', '--env', 'production')
    expect(second.value.written).toEqual([])
    expect(file()).toBe(text)
    await here.run(['catalog', 'export', 'whole.json', '--env', 'production'])
    const offline = await here.run(['catalog', 'diff', '--from', 'exported', '--to', 'whole.json', '--exit-code'])
    expect(offline.stdout).toMatch(/Nothing to do/)
    expect(offline.exitCode).toBe(0)
  })
})
