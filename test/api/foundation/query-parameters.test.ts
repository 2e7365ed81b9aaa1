import { beforeAll, expect, test } from 'vitest'
import { operationsOf } from '../../../server/kit/rest/operation.ts'
import { appRouter } from '../../../server/router.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'

const admin = '/api/v1/provision/admin'
const unusedId = '0190aaaa-0000-7000-8000-000000000000'

const refusal = (name: string) =>
  expect.objectContaining({
    codeName: 'license.validation_error',
    errors: expect.arrayContaining([expect.objectContaining({ pointer: name })]),
  })

const contracts = operationsOf(appRouter).map(({ contract }) => contract)

forEachStore((store) => {
  const server = serveTests(store)
  let session: { id: string; token: string }
  let userToken: string

  beforeAll(async () => {
    const sold = await server.api('POST', `${admin}/entitlements`, { body: { name: 'Sold', status: 'Active' } })
    const code = await server.api('POST', `${admin}/entitlements/${sold.body.id}/activation-codes`, { body: {} })
    const { body } = await server.api('POST', '/api/v1/provision/activations/license', {
      token: null,
      body: { activationCode: code.body.activationCode, fingerprint: 'one' },
    })
    session = { id: body.session.id, token: body.token }
    const user = await server.api('POST', `${admin}/users`, { body: { email: 'user@x.example' } })
    userToken = (await server.api('POST', `/api/v1/provision/operational/users/${user.body.id}/tokens`)).body
      .access_token
  })

  test.each(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
    '%s takes no query parameter that it does not name',
    async (_name, { method, path, body, access, ofSandbox, eitherToken: [token = access] = [] }) => {
      const url = path.replaceAll(/\{\w+\}/g, token === 'session' ? session.id : unusedId)
      const answer = await server.api(method, `${url}?nonsense=1`, {
        ...(body && method !== 'GET' ? { body: {} } : {}),
        ...(ofSandbox === undefined ? {} : { tenant: 'sandbox' }),
        ...(token === 'session' ? { token: session.token } : token === 'user' ? { token: userToken } : {}),
      })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual(refusal('nonsense'))
    },
  )

  test.each([
    ['%00', 'must not hold a NUL (%00)'],
    ['%ff', 'is not percent-encoded UTF-8'],
  ])('a value of %s is told from others that cannot be read', async (value, message) => {
    const { status, body } = await server.api('GET', `${admin}/tags?filter=name==${value}`)
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: 'filter', message })]])
  })

  test('a query parameter is never a field of the body, nor the id of the path', async () => {
    const tag = (await server.api('POST', `${admin}/tags`, { body: { name: 'kept', scope: 'Product' } })).body
    for (const [method, path, name] of [
      ['PATCH', `${admin}/tags/${tag.id}?name=smuggled`, 'name'],
      ['PATCH', `${admin}/tags/${tag.id}?isDeleted=true`, 'isDeleted'],
      ['GET', `${admin}/tags/${unusedId}?id=${tag.id}`, 'id'],
      ['DELETE', `${admin}/tags/${unusedId}?id=${tag.id}`, 'id'],
      ['POST', `${admin}/keys/rotate?purpose=nonsense`, 'purpose'],
    ] as const) {
      const answer = await server.api(method, path, method === 'GET' || method === 'DELETE' ? {} : { body: {} })
      expect([path, answer.status, answer.body]).toEqual([path, 400, refusal(name)])
    }
    expect((await server.api('GET', `${admin}/tags/${tag.id}`)).body).toMatchObject({ name: 'kept', revisionNumber: 1 })
  })
})
