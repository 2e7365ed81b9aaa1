import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseWords } from '../../cli/operator/database-flag.ts'
import { freshHome, licet } from '../support/licet-binary.ts'
import { serveEnvironments, testMasterKey } from '../support/served-environments.ts'
import { forEachStore } from '../support/stores.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

forEachStore(({ createDatabase }) => {
  test('a tenant is made and listed, oldest first, in the documents of the contract', async () => {
    const env = { LICET_DATABASE_URL: await createDatabase(), LICET_MASTER_KEY: testMasterKey }
    const acme = await licet(['tenant', 'create', 'acme', '--name', 'Acme GmbH', '--json'], { env })
    expect(acme.json()).toEqual({
      id: expect.stringMatching(uuid),
      slug: 'acme',
      name: 'Acme GmbH',
      kind: 'Live',
      path: '/t/acme',
    })
    expect(Object.keys(acme.json())).toEqual(['id', 'slug', 'name', 'kind', 'path'])
    const beta = await licet(['tenant', 'create', 'beta', '--sandbox', '--host-name', 'b.example', '--json'], { env })
    expect(beta.json()).toMatchObject({ slug: 'beta', name: 'beta', kind: 'Sandbox' })
    expect((await licet(['tenant', 'list', '--json'], { env })).json()).toEqual([acme.json(), beta.json()])
  })

  test('a slug or host name that is taken, or will not do, is refused in one line', async () => {
    const env = { LICET_DATABASE_URL: await createDatabase(), LICET_MASTER_KEY: testMasterKey }
    await licet(['tenant', 'create', 'acme', '--host-name', 'a.example'], { env })
    for (const [args, exitCode, message] of [
      [['acme'], 1, /^Error: There is a tenant with the slug "acme" already\.\n$/],
      [['Acme'], 64, /^Error: The slug must be/],
      [['other', '--host-name', 'A.example'], 1, /belongs to another tenant already/],
      [['other', '--host-name', 'a b'], 64, /"a b" is not a host name/],
      [['other', '--name', ' x'], 64, /The name must be/],
    ] as const) {
      const ended = await licet(['tenant', 'create', ...args], { env })
      expect(ended.stderr).toMatch(message)
      expect(ended.exitCode).toBe(exitCode)
    }
    expect((await licet(['tenant', 'list', '--json'], { env })).json()).toHaveLength(1)
  })
})

test('the first tenant makes the database, and a key that only its owner can read; listing makes nothing', async () => {
  const home = freshHome()
  const refused = await licet(['tenant', 'list'], { home })
  expect(refused.stderr).toMatch(/no database \.\/licet\.db[\s\S]*tenant create/)
  expect(refused.exitCode).toBe(1)
  expect(existsSync(join(home.directory, 'licet.db'))).toBe(false)
  const made = await licet(['tenant', 'create', 'acme'], { home })
  expect(made.stdout).toMatch(/Made the Live tenant acme[\s\S]*Next: licet client create --tenant acme/)
  expect(statSync(join(home.directory, 'licet.db.key')).mode & 0o777).toBe(0o600)
})

test('the next command goes to the same database, and is one that a shell takes', async () => {
  const home = freshHome()
  const database = ['--database', 'sqlite:./an other.db']
  const made = await licet(['tenant', 'create', 'acme', ...database], { home })
  const next =
    "licet client create --database 'sqlite:./an other.db' --tenant acme --name deploy --scope 'admin.catalog:*'"
  expect(made.stdout).toContain(`\nNext: ${next}\n`)
  const listed = await licet(['client', 'list', '--tenant', 'acme', ...database], { home })
  expect(listed.stdout).toContain("\nNext: licet client create --database 'sqlite:./an other.db' --tenant acme ")
  const env = { LICET_DATABASE_URL: 'sqlite:./an other.db' }
  expect((await licet(['client', 'list', '--tenant', 'acme'], { home, env })).stdout).not.toContain('--database')
  const typed = [{ type: 'flag' as const, flag: 'database', input: '' }]
  expect(databaseWords(typed, 'postgres://u:canary@h/x?password=canary')).toBe(' --database postgres://u@h/x')
})

test('a tenant that will not do leaves no database behind', async () => {
  const home = freshHome()
  expect((await licet(['tenant', 'create', 'BAD_slug'], { home })).exitCode).toBe(64)
  expect(existsSync(join(home.directory, 'licet.db'))).toBe(false)
})

test.each([
  ['no database URL', 'mysql:x', /must be sqlite:FILE/, 64],
  ['no file name', 'sqlite:', /must be sqlite:FILE/, 64],
  ['no file at all', 'sqlite::memory:', /keeps its data in a file/, 64],
  ['no SQLite file', 'sqlite:notes.txt', /notes\.txt is not a SQLite database/],
  ['a directory', 'sqlite:.', /cannot be opened: it is a directory\.$/m],
  ['a missing directory', 'sqlite:nowhere/licet.db', /directory does not exist/],
  ['a PostgreSQL that is away', 'postgres://u:canary@127.0.0.1:1/x', /127\.0\.0\.1:1 refused the connection/],
])('%s is told in one line, without a password', async (_name, url, message, exitCode = 1) => {
  const home = freshHome()
  writeFileSync(join(home.directory, 'notes.txt'), 'shopping\n'.repeat(1000))
  const ended = await licet(['tenant', 'create', 'acme', '--database', url], { home })
  expect(ended.stderr).toMatch(message)
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  expect(ended.stderr).not.toContain('canary')
  expect(ended.exitCode).toBe(exitCode)
})

test('another master key than the database was made with is refused', async () => {
  const home = freshHome()
  await licet(['tenant', 'create', 'acme'], { home })
  const ended = await licet(['tenant', 'create', 'beta'], { home, env: { LICET_MASTER_KEY: testMasterKey } })
  expect(ended.stderr).toMatch(/^Error: This database was made with another master key/)
  expect(ended.exitCode).toBe(1)
  expect((await licet(['tenant', 'list', '--json'], { home })).json()).toHaveLength(1)
})

test('how far off an instant of a sandbox is, its own clock says', async () => {
  const here = await serveEnvironments(['sandbox'])
  const licensePolicy = { leaseTime: 'PT10H' }
  await here.ask('sandbox', 'POST', 'entitlements/offers', {
    name: 'CAD',
    status: 'Active',
    isOffer: true,
    licensePolicy,
  })
  await here.ask('sandbox', 'POST', 'test-clock/advance', { by: 'P60D' })
  const made = await here.run(['entitlement', 'create', '--from-offer', 'CAD', '--activate', '--code', '--json'])
  const { entitlement, activationCode } = made.json()
  const device = ['--fingerprint', 'device-1', '--activation-code-file', '-', '--out', 'licence.jwt']
  const activated = await here.run(['license', 'activate', ...device], { input: activationCode })
  const heard = await here.run(['license', 'check-in', 'licence.jwt'])
  for (const { stdout } of [activated, heard]) expect(stdout).toMatch(/lease until +\S+ \((?:in 9 hours|in 10 hours)\)/)
  const shown = await here.run(['entitlement', 'show', entitlement.id])
  expect(shown.stdout).toMatch(/ (?:now|\d seconds? ago) +in (?:9|10) hours +valid\n/)
  await here.server.stop()
})
