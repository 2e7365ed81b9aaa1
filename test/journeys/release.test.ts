import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followPage } from '../support/followed-page.ts'
import { type Environments, serveEnvironments, testMasterKey } from '../support/served-environments.ts'
import { forEachStore } from '../support/stores.ts'

const root = join(import.meta.dirname, '../..')
const example = join(root, 'examples/release')

forEachStore(({ createDatabase }) => {
  let here: Environments
  let page: ReturnType<typeof followPage>
  let summary: string

  beforeAll(async () => {
    here = await serveEnvironments(['staging', 'production'], {
      LICET_DATABASE_URL: await createDatabase(),
      LICET_MASTER_KEY: testMasterKey,
    })
    const { directory } = here.home
    const clone = join(directory, 'clone')
    const copied = join(clone, 'examples/release')
    cpSync(example, copied, { recursive: true })
    const settings = readFileSync(join(copied, 'licet.yaml'), 'utf8')
    writeFileSync(join(copied, 'licet.yaml'), settings.replaceAll('http://127.0.0.1:7070', here.server.url))
    summary = join(directory, 'summary.md')
    page = followPage(join(example, 'README.md'), here.home, clone, {
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A release manager',
      GIT_AUTHOR_EMAIL: 'release@acme.example',
      GIT_COMMITTER_NAME: 'A release manager',
      GIT_COMMITTER_EMAIL: 'release@acme.example',
    })
  })
  afterAll(() => here.server.stop())

  const document = async (line: string) => JSON.parse((await page.shell(`${line} --json`)).stdout)
  const price = async (env: string) =>
    (await document(`licet catalog export - --env ${env}`)).plans[0].plans[0].monthlyPrice
  const revision = async () => (await page.shell('git rev-parse --short HEAD')).stdout.trim()

  test('a change goes from a branch to production as it was reviewed, is watched, and is taken back', {
    timeout: 180_000,
  }, async () => {
    const begun = (await page.follow('Begin')).at(-1)!
    expect(begun.stdout).toMatch(/\n3 to create, 0 to update .*\nImported into production: import /s)
    expect([await price('staging'), await price('production')]).toEqual([49, 49])

    await page.follow('Change')
    const [offline, , github] = await page.follow('Review')
    expect(offline!.stdout).toMatch(/plans\/Pro\/monthlyPrice +49 → 59/)
    const comment = readFileSync(join(here.home.directory, 'comment.md'), 'utf8')
    expect(comment).toMatch(/^<!-- licet:diff:staging -->\n/)
    expect(comment).toMatch(/`plans\/Pro\/monthlyPrice`: `49 → 59`/)
    expect(github!.stdout).toMatch(/^::warning file=catalog\/acme-cad\.yaml,line=\d+,.*49 → 59/m)
    expect(readFileSync(summary, 'utf8')).toContain(comment.trim())

    await page.follow('Merge')
    expect([await price('staging'), await price('production')]).toEqual([59, 49])
    const [merged] = (await document('licet catalog history --env staging')).imports
    expect(merged.source).toBe(await revision())

    const [planned, shown] = await page.follow('Plan')
    expect(planned!.stderr).toMatch(/production" is protected: this needs --allow-price-change/)
    expect(shown!.stdout).toMatch(/plans\/Pro\/monthlyPrice +49 → 59/)
    const [guarded, , again] = await page.follow('Apply')
    expect(guarded!.stderr).toContain('--allow-price-change')
    expect(again!.stdout).toMatch(/^Already applied: /)
    expect(await price('production')).toBe(59)
    const [applied] = (await document('licet catalog history --env production')).imports

    const products = await document('licet api GET /api/v1/provision/admin/products --env production')
    const [quiet, , drifted, putBack] = await page.follow('Watch', { PRODUCT_ID: products.items[0].id })
    expect(quiet!.stdout).toContain(`Nothing has changed since import ${applied.id}`)
    expect(drifted!.stdout).toMatch(/~ product:ACME-CAD@2\.0 +tests, \S+Z\n/)
    expect(drifted!.stdout).toMatch(
      /description +"Draws, computes and exports\." → "By hand".*importing the files puts it back/s,
    )
    expect(readFileSync(summary, 'utf8')).toContain('<!-- licet:drift:production -->')
    expect(putBack!.stdout).toMatch(/"By hand" → "Draws, computes and exports\."/)

    const [history, report, rolledBack, , same] = await page.follow('Take it back', { IMPORT_ID: applied.id })
    expect(history!.stdout).toContain('drift put back')
    expect(report!.stdout).toMatch(/plans\/Pro\/monthlyPrice +49 → 59/)
    expect(rolledBack!.stdout).toMatch(/plans\/Pro\/monthlyPrice +59 → 49/)
    expect(same!.stdout).toMatch(/Nothing to do/)
    expect([await price('staging'), await price('production')]).toEqual([49, 49])
    expect(page.followed).toEqual([...page.parts.keys()])
  })
})
