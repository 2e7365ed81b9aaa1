import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from './devices.ts'

forEachStore((store) => {
  // Whoever connects here is of this machine: a proxy, with another one before it.
  const server = serveTests(store, { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] })
  const devices = devicesOf(server)

  test('a trusted proxy says whose request it is, and nobody before it that is not trusted does', async () => {
    const { id } = await devices.newEntitlement({
      activationPolicy: { allowedIpCidr: ['203.0.113.0/24', '2001:db8::/32'] },
    })
    const { activationCode } = await devices.newCode(id)
    const from = async (forwarded: string | undefined) => {
      const headers = { forwarded: 'for=203.0.113.9', ...(forwarded && { 'x-forwarded-for': forwarded }) }
      return (await devices.activate(activationCode, 'the device', {}, { headers })).status
    }
    expect(await from('203.0.113.9')).toBe(200)
    expect(await from('198.51.100.7, 203.0.113.9, 10.1.2.3')).toBe(200)
    expect(await from('203.0.113.9:4711')).toBe(200)
    expect(await from('[2001:db8::7]:4711')).toBe(200)
    expect(await from('[2001:db8::7], 10.1.2.3:4712 ,10.1.2.4')).toBe(200)
    expect(await from('203.0.113.9, 198.51.100.7')).toBe(403)
    expect(await from('203.0.113.9:4711, 198.51.100.7:4712')).toBe(403)
    expect(await from('203.0.113.9, unknown')).toBe(403)
    expect(await from(undefined)).toBe(403)
  })

  test('who fails is counted by the address, whatever port is said with it', async () => {
    const fail = (port: number) =>
      fetch(`${server.baseUrl()}/auth/connect/token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': `203.0.113.77:${port}` },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: `nobody ${port}`,
          client_secret: 'x',
        }),
      })
    for (let port = 1; port <= 300; port++) expect((await fail(port)).status).toBe(401)
    expect((await fail(301)).status).toBe(429)
  })

  test('what else a proxy says changes nothing', async () => {
    const path = '/.well-known/openid-configuration'
    const plain = await server.api('GET', path, { token: null })
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '1' }
    expect((await server.api('GET', path, { token: null, headers })).body).toEqual(plain.body)
  })
})
