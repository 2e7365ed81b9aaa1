import { expect, test } from 'vitest'
import { startServer } from '../../../server/app.ts'
import { startTestServer } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'

const provision = '/api/v1/provision'

forEachStore((store) => {
  test('tokens outlive a start at another port, and are good at a second process; a public URL takes none of them', async () => {
    const first = await startTestServer(store)
    const must = async (method: string, path: string, body?: object) => {
      const answer = await first.api(method, `${provision}/${path}`, body ? { body } : {})
      expect([answer.status, answer.text]).toEqual([200, expect.anything()])
      return answer.body
    }
    const product = await must('POST', 'admin/products', { productCode: 'CAD', name: 'CAD' })
    const products = [{ productId: product.id }]
    const { id } = await must('POST', 'admin/entitlements', { name: 'One', status: 'Active', products })
    const { activationCode } = await must('POST', `admin/entitlements/${id}/activation-codes`, {})
    const { token, session } = await must('POST', 'activations/license', { activationCode, fingerprint: 'device' })
    const user = await must('POST', 'admin/users', { email: 'one@example.com' })
    const { access_token } = await must('POST', `operational/users/${user.id}/tokens`, {})

    const at = { databaseUrl: first.databaseUrl, host: '127.0.0.1', port: 0, logLevel: 'silent' } as const
    const statusesAt = async (origin: string) => {
      const ask = async (method: string, path: string, bearer: string) => {
        const headers = { authorization: `Bearer ${bearer}` }
        return (await fetch(`${origin}/t/acme${provision}/${path}`, { method, headers })).status
      }
      return [
        await ask('GET', 'admin/products', first.tokens.acme),
        await ask('GET', 'consumer/me/sessions', access_token),
        await ask('POST', `activations/${session.id}/renew`, token),
      ]
    }
    const second = store.kind === 'postgres' ? await startServer(at) : undefined
    if (second) expect(await statusesAt(second.url)).toEqual([200, 200, 200])
    await second?.close()
    await first.close()
    const later = await startServer(at)
    expect(await statusesAt(later.url)).toEqual([200, 200, 200])
    await later.close()
    const told = await startServer({ ...at, publicUrl: 'https://licences.example' })
    expect(await statusesAt(told.url)).toEqual([401, 401, 401])
    await told.close()
  })
})
