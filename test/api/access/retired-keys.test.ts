import { expect, test } from 'vitest'
import { migrations } from '../../../server/database/migrations/index.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const sandbox = devicesOf(server, { tenant: 'sandbox' })
  const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid as string
  const published = async (): Promise<string[]> =>
    (await server.api('GET', '/.well-known/jwks.json', { tenant: 'sandbox' })).body.keys.map((key: Json) => key.kid)
  const retire = async () => {
    const kid = kidOf(await server.tokenWith([], 'sandbox'))
    await sandbox.post('admin/keys/rotate')
    return kid
  }

  test('the key of clients alone is gone when their last token has expired', async () => {
    const kid = await retire()
    await sandbox.advance('PT14M59S')
    expect(await published()).toContain(kid)
    await sandbox.advance('PT2M')
    expect(await published()).not.toContain(kid)
  })

  test('the key of a licence is there until that has expired, and gone within the hour', async () => {
    const { id } = await sandbox.newEntitlement({ licensePolicy: { leaseTime: 'P2D', graceTime: 'P1D' } })
    const device = await sandbox.newDevice((await sandbox.newCode(id)).activationCode)
    const kid = await retire()
    expect(kidOf(device.token)).toBe(kid)
    await sandbox.advance('P2DT23H')
    expect(await published()).toContain(kid)
    expect((await sandbox.say('check-in', device)).status).toBe(200)
    await sandbox.advance('PT2H1M')
    expect(await published()).not.toContain(kid)
  })

  test.each([
    ['nothing', null],
    ['of a long lease alone, which is over', 1],
  ])('a key that an earlier version wrote %s of stays for a month after the update', async (_what, signed_until) => {
    const database = openDatabase(server.databaseUrl)
    const { id } = await sandbox.newEntitlement({ licensePolicy: { leaseTime: 'P20D', graceTime: 'P1D' } })
    const device = await sandbox.newDevice((await sandbox.newCode(id)).activationCode)
    const kid = kidOf(device.token)
    await database.transact(async (tx) => {
      const key = tx.updateTable('signing_keys').set({ signed_until }).where('id', '=', kid)
      await key.where('tenant_id', '=', server.tenantIds.sandbox).execute()
    })
    await migrations['0008-signed-until']!.up(database.schema)
    await database.close()
    await sandbox.post('admin/keys/rotate')
    await sandbox.advance('P2D')
    expect((await sandbox.say('check-in', device)).status).toBe(200)
    await sandbox.advance('P28D')
    expect(await published()).toContain(kid)
    await sandbox.advance('P2D')
    expect(await published()).not.toContain(kid)
  })

  test('of usual leases, a key is written to once an hour at most', async () => {
    const { id } = await sandbox.newEntitlement({ licensePolicy: { leaseTime: 'P27D' } })
    const { activationCode } = await sandbox.newCode(id)
    const database = openDatabase(server.databaseUrl)
    const seen = new Set<number | null>()
    for (let device = 0; device < 4; device++) {
      const { token } = await sandbox.newDevice(activationCode)
      const key = database.read.selectFrom('signing_keys').select('signed_until').where('id', '=', kidOf(token))
      seen.add((await key.executeTakeFirstOrThrow()).signed_until)
    }
    await database.close()
    expect(seen.size).toBeLessThan(3)
    for (const until of seen) expect(until! % 3_600_000).toBe(0)
  })
})
