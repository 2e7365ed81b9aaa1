import { randomBytes } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import {
  createClient,
  deleteClient,
  listClients,
  rotateClientSecret,
} from '../../../server/access/clients/operator-deeds.ts'
import { doubtMasterKey, openSealer } from '../../../server/access/installation/master-key.ts'
import { createTenant, type NewTenant } from '../../../server/access/tenants/tenant-creation.ts'
import { findTenantByHostName, findTenantBySlug, listTenants } from '../../../server/access/tenants/tenant-lookup.ts'
import type { Database } from '../../../server/database/database.ts'
import { readDatabaseUrl } from '../../../server/database/database-url.ts'
import { migrate } from '../../../server/database/migrate.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { sealerFor } from '../../../server/kit/sealing.ts'
import { forEachStore, type TestStore } from '../../support/stores.ts'

const masterKey = randomBytes(32).toString('base64')
const acme: NewTenant = { slug: 'acme', name: 'Acme', kind: 'Live', hostNames: ['Licences.acme.example'] }

const opened: Database[] = []
afterAll(async () => {
  for (const database of opened) await database.close().catch(() => undefined)
})

async function openMigrated(url: string) {
  const database = openDatabase(url)
  opened.push(database)
  await migrate(database)
  return database
}

async function openFresh(store: TestStore) {
  const url = await store.createDatabase()
  const database = await openMigrated(url)
  return { url, database, sealer: await openSealer(database, readDatabaseUrl(url), masterKey) }
}

forEachStore((store) => {
  test('a database made with one master key refuses another, in one line', async () => {
    const { url, database } = await openFresh(store)
    await expect(openSealer(database, readDatabaseUrl(url), masterKey)).resolves.toBeDefined()
    const refused = await openSealer(database, readDatabaseUrl(url), randomBytes(32).toString('hex')).catch(
      (error: Error) => error.message,
    )
    expect(refused).toMatch(/^This database was made with another master key[^\n]*$/)
  })

  // Two connections of one thread to a SQLite file would only wait for each other.
  test.runIf(store.kind === 'postgres')(
    'two processes that start together on a new database with two keys do not both start',
    async () => {
      const url = await store.createDatabase()
      const [one, other] = [await openMigrated(url), openDatabase(url)]
      opened.push(other)
      const started = await Promise.allSettled([
        openSealer(one, readDatabaseUrl(url), masterKey),
        openSealer(other, readDatabaseUrl(url), randomBytes(32).toString('base64')),
      ])
      expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    },
  )

  test('a tenant is found by its slug and host names, and its natural keys are taken', async () => {
    const { database, sealer } = await openFresh(store)
    const tenant = await createTenant(database, sealer, acme, 1000)
    expect(tenant.hostNames).toEqual(['licences.acme.example'])
    const known = { id: tenant.id, slug: 'acme', name: 'Acme', kind: 'Live' }
    expect(await findTenantBySlug(database, 'acme')).toEqual(known)
    expect(await findTenantByHostName(database, 'LICENCES.acme.example:8080')).toEqual(known)
    expect(await findTenantBySlug(database, 'nobody')).toBeUndefined()
    expect(await listTenants(database)).toEqual([known])
    const again = (changes: Partial<NewTenant>) => createTenant(database, sealer, { ...acme, ...changes }, 2000)
    await expect(again({ hostNames: [] })).rejects.toThrow('slug "acme" already')
    await expect(again({ slug: 'other' })).rejects.toThrow('belongs to another tenant')
    await expect(again({ slug: 'A' })).rejects.toThrow('lower-case')
    await expect(again({ slug: 'other', hostNames: ['a b'] })).rejects.toThrow('not a host name')
    expect(await listTenants(database)).toHaveLength(1)
  })

  test.runIf(store.kind === 'postgres')('of two processes that make one tenant at once, one does', async () => {
    const { url, database, sealer } = await openFresh(store)
    const other = openDatabase(url)
    opened.push(other)
    const made = await Promise.allSettled([
      createTenant(database, sealer, acme, 1000),
      createTenant(other, sealer, acme, 1000),
    ])
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await listTenants(database)).toHaveLength(1)
  })

  test('clients are made, listed without secrets, rotated and deleted, each within its tenant', async () => {
    const { database, sealer } = await openFresh(store)
    const tenantId = (await createTenant(database, sealer, acme, 1000)).id
    const neighbour = (await createTenant(database, sealer, { ...acme, slug: 'other', hostNames: [] }, 1000)).id
    const wanted = { tenantId, name: 'ci', scopes: ['admin.catalog:read', 'admin.catalog:read'] }
    const client = await createClient(database, sealer, wanted)
    expect(client).toEqual({
      clientId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      clientSecret: expect.stringMatching(/^lcs_[A-Za-z0-9_-]{43}$/),
      name: 'ci',
      scopes: ['admin.catalog:read'],
    })
    const { clientSecret: _, ...listed } = client
    expect(await listClients(database, tenantId)).toEqual([listed])
    expect(await listClients(database, neighbour)).toEqual([])
    await expect(createClient(database, sealer, { ...wanted, scopes: ['admin.x:read'] })).rejects.toThrow('admin.x')
    await expect(rotateClientSecret(database, sealer, neighbour, client.clientId)).rejects.toThrow('no client')
    const rotated = await rotateClientSecret(database, sealer, tenantId, client.clientId)
    expect(rotated.clientSecret).not.toBe(client.clientSecret)
    await expect(deleteClient(database, neighbour, client.clientId)).rejects.toThrow('no client')
    await deleteClient(database, tenantId, client.clientId)
    expect(await listClients(database, tenantId)).toEqual([])
  })

  test('nothing secret stands in the database in clear, and a private key moved to another tenant does not open', async () => {
    const { database, sealer } = await openFresh(store)
    const tenantId = (await createTenant(database, sealer, acme, 1000)).id
    const { clientSecret } = await createClient(database, sealer, { tenantId, name: 'ci', scopes: [] })
    const keys = await database.read.selectFrom('signing_keys').selectAll().execute()
    const stored = JSON.stringify([keys, await database.read.selectFrom('clients').selectAll().execute()])
    expect(stored).not.toContain(clientSecret)
    expect(stored).not.toContain('PRIVATE KEY')
    expect(keys.map(({ purpose, algorithm }) => [purpose, algorithm]).sort()).toEqual([
      ['offline', 'RS256'],
      ['token', 'ES256'],
    ])
    const { id, sealed_private_key } = keys[0]!
    expect(sealer.open(sealed_private_key, `key/${tenantId}/${id}`)).toContain('PRIVATE KEY')
    expect(() => sealer.open(sealed_private_key, `key/another/${id}`)).toThrow()
    expect(() => sealerFor(randomBytes(32)).open(sealed_private_key, `key/${tenantId}/${id}`)).toThrow()
  })
})

describe('the master key beside a SQLite database', () => {
  forEachStore((store) => {
    if (store.kind === 'postgres') {
      test('is not for a PostgreSQL on another machine: the variable to set is named', async () => {
        const database = await openMigrated(await store.createDatabase())
        const elsewhere = readDatabaseUrl('postgres://licet@db.example/licet')
        await expect(openSealer(database, elsewhere, '')).rejects.toThrow('LICET_MASTER_KEY is not set')
      })

      test('is among the settings for a PostgreSQL on this one, made once however many start together', async () => {
        const url = await store.createDatabase()
        const settings = await mkdtemp(join(tmpdir(), 'licet-settings-'))
        vi.stubEnv('XDG_CONFIG_HOME', settings)
        try {
          const databases = await Promise.all([1, 2, 3].map(() => openMigrated(url)))
          const sealers = await Promise.all(databases.map((database) => openSealer(database, readDatabaseUrl(url), '')))
          const sealed = sealers[0]!.seal('text', 'place')
          for (const sealer of sealers) expect(sealer.open(sealed, 'place')).toBe('text')
          const keys = join(settings, 'licet', 'keys')
          const [name, ...more] = await readdir(keys)
          const { port, pathname } = new URL(url)
          expect([name, more]).toEqual([`localhost-${port}-${pathname.slice(1)}.key`, []])
          expect((await stat(join(keys, name!))).mode & 0o777).toBe(0o600)
          const lost = await readFile(join(keys, name!))
          await rm(join(keys, name!))
          await expect(openSealer(databases[0]!, readDatabaseUrl(url), '')).rejects.toThrow(/is missing/)
          const given = await openSealer(databases[0]!, readDatabaseUrl(url), lost.toString())
          expect(given.open(sealed, 'place')).toBe('text')
        } finally {
          vi.unstubAllEnvs()
          await rm(settings, { recursive: true })
        }
      })
      return
    }

    test("stands beside a database file that is its owner's alone, too", async () => {
      const url = await store.createDatabase()
      await openMigrated(url)
      expect((await stat(url.slice('sqlite:'.length))).mode & 0o777).toBe(0o600)
    })

    test('is made once, for its owner alone, and not needed when the variable is set', async () => {
      const url = await store.createDatabase()
      const keyFile = `${url.slice('sqlite:'.length)}.key`
      const database = await openMigrated(url)
      const sealed = (await openSealer(database, readDatabaseUrl(url), '')).seal('text', 'place')
      expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
      const content = await readFile(keyFile, 'utf8')
      expect((await openSealer(database, readDatabaseUrl(url), '')).open(sealed, 'place')).toBe('text')
      expect(await readFile(keyFile, 'utf8')).toBe(content)
      expect((await openSealer(database, readDatabaseUrl(url), content)).open(sealed, 'place')).toBe('text')
      await expect(openSealer(database, readDatabaseUrl(url), masterKey)).rejects.toThrow(/unset it to use the key in/)
    })

    test('is made once when two processes start together', async () => {
      const url = await store.createDatabase()
      const database = await openMigrated(url)
      const sealers = await Promise.all([1, 2, 3].map(() => openSealer(database, readDatabaseUrl(url), '')))
      const sealed = sealers[0]!.seal('text', 'place')
      for (const sealer of sealers) expect(sealer.open(sealed, 'place')).toBe('text')
    })

    test('is made anew when a start that was cut off left it empty, until something is sealed with it', async () => {
      const url = await store.createDatabase()
      const keyFile = `${url.slice('sqlite:'.length)}.key`
      const database = await openMigrated(url)
      await writeFile(keyFile, '')
      await writeFile(`${keyFile}.tmp`, 'half a k')
      const sealers = await Promise.all([1, 2, 3].map(() => openSealer(database, readDatabaseUrl(url), '')))
      const sealed = sealers[0]!.seal('text', 'place')
      for (const sealer of sealers) expect(sealer.open(sealed, 'place')).toBe('text')
      expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
      await expect(stat(`${keyFile}.tmp`)).rejects.toThrow('ENOENT')
      await writeFile(keyFile, '')
      await expect(openSealer(database, readDatabaseUrl(url), '')).rejects.toThrow(
        /has fewer than 32 characters: restore it/,
      )
      expect((await stat(keyFile)).size).toBe(0)
    })

    test('is on the disk before it counts, whoever made it', async () => {
      const url = await store.createDatabase()
      const database = await openMigrated(url)
      await writeFile(`${url.slice('sqlite:'.length)}.key`, masterKey)
      const handle = await open(url.slice('sqlite:'.length))
      await handle.close()
      const failure = Object.assign(new Error('EIO'), { code: 'EIO', errno: -5 })
      const syncs = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockRejectedValue(failure)
      try {
        const refused = await openSealer(database, readDatabaseUrl(url), '').catch((error: Error) => error.message)
        expect(refused).toMatch(
          /^The key file \S+\.key cannot be made \([^\n]*\): mend that, or set LICET_MASTER_KEY\.$/,
        )
        expect(await database.read.selectFrom('installation').selectAll().execute()).toEqual([])
        syncs.mockReset().mockResolvedValue(undefined)
        await openSealer(database, readDatabaseUrl(url), '')
        expect(syncs).toHaveBeenCalledTimes(2)
      } finally {
        syncs.mockRestore()
      }
    })

    test.each([
      ['made', '.key.tmp'],
      ['read', '.key'],
    ])('says in one line why it cannot be %s', async (what, inTheWay) => {
      const url = await store.createDatabase()
      await mkdir(`${url.slice('sqlite:'.length)}${inTheWay}`)
      const refused = await openSealer(await openMigrated(url), readDatabaseUrl(url), '').catch(String)
      expect(refused).toMatch(
        new RegExp(`^Error: The key file \\S+\\.key cannot be ${what} \\([^\\n]*directory\\)[^\\n]*$`),
      )
    })

    test('is not made anew for a copied database, which then does not start', async () => {
      const { url, database } = await openFresh(store)
      await database.close()
      const copy = `${url.slice('sqlite:'.length)}-copy`
      await copyFile(url.slice('sqlite:'.length), copy)
      const copied = await openMigrated(`sqlite:${copy}`)
      await expect(openSealer(copied, readDatabaseUrl(`sqlite:${copy}`), '')).rejects.toThrow(
        /key is missing|is missing/,
      )
      await expect(stat(`${copy}.key`)).rejects.toThrow()
      await writeFile(`${copy}.key`, randomBytes(32).toString('base64'))
      await expect(openSealer(copied, readDatabaseUrl(`sqlite:${copy}`), '')).rejects.toThrow(/another master key/)
      await rm(`${copy}.key`)
    })

    test('one that is easy to guess is taken, and told of', async () => {
      const url = await store.createDatabase()
      const database = await openMigrated(url)
      const sealed = (await openSealer(database, readDatabaseUrl(url), 'short')).seal('secret', 'place')
      expect((await openSealer(database, readDatabaseUrl(url), ' short\n')).open(sealed, 'place')).toBe('secret')
      await expect(openSealer(database, readDatabaseUrl(url), 'shorter')).rejects.toThrow(/another master key/)
      const doubt = (given: string) => doubtMasterKey(readDatabaseUrl(url), given)
      expect(doubt('short')).toMatch(/^LICET_MASTER_KEY has fewer than 32 characters: [^\n]*openssl rand/)
      expect([doubt(' '), doubt(randomBytes(32).toString('base64'))]).toEqual([undefined, undefined])
    })

    test('that others may read is told of', async () => {
      const url = await store.createDatabase()
      await openSealer(await openMigrated(url), readDatabaseUrl(url), '')
      const doubt = () => doubtMasterKey(readDatabaseUrl(url), '')
      expect(doubt()).toBeUndefined()
      await chmod(`${url.slice('sqlite:'.length)}.key`, 0o640)
      expect(doubt()).toMatch(/^other users can read or write .+\.key, .+: chmod 600 it$/)
    })
  })
})
