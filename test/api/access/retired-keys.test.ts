import { expect, test } from 'vitest'
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

  test('a key from before it was written down what it signed stays for a month', async () => {
    const database = openDatabase(server.databaseUrl)
    const kid = kidOf(await server.tokenWith([], 'sandbox'))
    await database.transact(async (tx) => {
      const key = tx.updateTable('signing_keys').set({ signed_until: null }).where('id', '=', kid)
      await key.where('tenant_id', '=', server.tenantIds.sandbox).execute()
    })
    await database.close()
    const { id } = await sandbox.newEntitlement({ licensePolicy: { leaseTime: 'PT1H', graceTime: 'PT1H' } })
    await sandbox.newDevice((await sandbox.newCode(id)).activationCode)
    await sandbox.post('admin/keys/rotate')
    await sandbox.advance('P30D')
    expect(await published()).toContain(kid)
    await sandbox.advance('P2D')
    expect(await published()).not.toContain(kid)
  })
})
