import { expect, test } from 'vitest'
import type { CallOptions } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { devicesOf } from './devices.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const devices = devicesOf(server, { tenant: 'sandbox' })
  const start = serverProcesses()

  const newCode = async (maxDeviceActivations = 5): Promise<string> => {
    const { id } = await devices.newEntitlement({ licensePolicy: { maxDeviceActivations } })
    return (await devices.newCode(id)).activationCode
  }
  const newKey = () => `key ${nextNumber()}`
  const activate = (key: string, body: object, call: CallOptions = {}) =>
    devices.at('POST', 'activations/license', { token: null, headers: { 'idempotency-key': key }, body, ...call })

  /** The same of a token alone. */
  const tokenOf = (key: string, body: object) =>
    devices.at('POST', 'activations/jwt', { token: null, headers: { 'idempotency-key': key }, body })

  test('the same key answers the same bytes, and marks them', async () => {
    const body = { activationCode: await newCode(), fingerprint: 'one' }
    const key = newKey()
    const first = await activate(key, body)
    const again = await activate(key, { fingerprint: 'one', activationCode: body.activationCode })
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(again.text).toBe(first.text)
  })

  test('the same key with other parameters is a conflict, and changes nothing', async () => {
    const activationCode = await newCode(1)
    const key = newKey()
    const first = await activate(key, { activationCode, fingerprint: 'one' })
    const other = await activate(key, { activationCode, fingerprint: 'two' })
    expect([other.status, other.body.codeName]).toEqual([409, 'request.idempotency_conflict'])
    expect((await activate(key, { activationCode, fingerprint: 'one' })).text).toBe(first.text)
  })

  test('fifty requests with one key have one effect', async () => {
    const activationCode = await newCode()
    const key = newKey()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => activate(key, { activationCode, fingerprint: 'one' })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  })

  test('of fifty requests with one key and two bodies, one body wins', async () => {
    const activationCode = await newCode()
    const key = newKey()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => activate(key, { activationCode, fingerprint: `device ${at % 2}` })),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(25)
    expect(new Set(won.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(25)
  })

  test('a key is not used with other parameters at another activation endpoint either', async () => {
    const { id } = await devices.newEntitlement({ licensePolicy: { maxDeviceActivations: 2 } })
    const { activationCode } = await devices.newCode(id)
    const key = newKey()
    const jwt = (fingerprint: string) => tokenOf(key, { activationCode, fingerprint })
    await must(activate(key, { activationCode, fingerprint: 'one' }))
    const other = await jwt('two')
    expect([other.status, other.body.codeName]).toEqual([409, 'request.idempotency_conflict'])
    expect((await jwt('one')).status).toBe(200)
    expect((await activate(newKey(), { activationCode, fingerprint: 'two' })).status).toBe(200)
  })

  test('a key is of one operation', async () => {
    const body = { activationCode: await newCode(1), fingerprint: 'one' }
    const key = newKey()
    const licensed = await must(activate(key, body))
    const token = await devices.at('POST', 'activations/jwt', {
      token: null,
      headers: { 'idempotency-key': key, accept: 'application/json' },
      body,
    })
    expect([token.status, token.headers.get('idempotency-replayed')]).toEqual([200, null])
    expect(Object.keys(token.body)).toEqual(['token'])
    expect(licensed.session.fingerprint).toBe('one')
  })

  test('a refusal keeps its key, but that of a malformed request leaves it to a corrected one', async () => {
    const activationCode = await newCode(0)
    const key = newKey()
    const malformed = await activate(key, { activationCode })
    expect(malformed.status).toBe(400)
    expect((await activate(key, { activationCode })).text).toBe(malformed.text)
    const refused = await activate(key, { activationCode, fingerprint: 'one' })
    expect([refused.status, refused.body.codeName]).toEqual([409, 'license.seats_exhausted'])
    const again = await activate(key, { activationCode, fingerprint: 'one' })
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([refused.text, 'true'])
  })

  test('a refusal is replayed for ever, and its key not used with other parameters at another endpoint', async () => {
    const { id } = await devices.newEntitlement({ licensePolicy: { maxDeviceActivations: 0 } })
    const { activationCode } = await devices.newCode(id)
    const key = newKey()
    const jwt = (fingerprint: string) => tokenOf(key, { activationCode, fingerprint })
    const body = { activationCode, fingerprint: 'one' }
    const refused = await activate(key, body)
    await devices.patch(`admin/entitlements/${id}`, { licensePolicy: { maxDeviceActivations: 9 } })
    expect((await jwt('two')).body.codeName).toBe('request.idempotency_conflict')
    await devices.advance('P2D')
    expect(await activate(key, body)).toMatchObject({ status: 409, text: refused.text })
    for (const other of [await jwt('two'), await activate(key, { ...body, fingerprint: 'two' })])
      expect(other.body.codeName).toBe('request.idempotency_conflict')
    expect((await activate(newKey(), body)).status).toBe(200)
  })

  test('a code that was not found is looked for again after a day, by whatever request', async () => {
    const key = newKey()
    const body = { activationCode: 'ABCDE-ABCDE-ABCDE', fingerprint: 'one' }
    expect((await activate(key, body)).status).toBe(404)
    await devices.advance('P1D')
    expect((await activate(key, { ...body, activationCode: await newCode() })).status).toBe(200)
  })

  test('the activation of a user without a code is replayed, whatever is assigned to the user by then', async () => {
    const user = await devices.post('admin/users', { email: `u${nextNumber()}@x.example`, emailVerified: true })
    const { access_token: token } = await devices.post(`operational/users/${user.id}/tokens`)
    const assign = async () => {
      const { id } = await devices.newEntitlement()
      await devices.post(`admin/entitlements/${id}/principals/${user.id}`)
      return () => devices.at('DELETE', `admin/entitlements/${id}/principals/${user.id}`)
    }
    const body = { useInteractiveUser: true, fingerprint: 'one' }
    const key = newKey()
    const unassign = await assign()
    const first = await activate(key, body, { token })
    expect(first.status).toBe(200)
    const replayed = { status: 200, text: first.text }
    const unassignOther = await assign()
    expect(await activate(key, body, { token })).toMatchObject(replayed)
    expect((await activate(key, { ...body, fingerprint: 'two' }, { token })).status).toBe(409)
    expect((await activate(newKey(), body, { token })).body.codeName).toBe('license.choice_required')
    for (const one of [unassign, unassignOther]) await one()
    expect(await activate(key, body, { token })).toMatchObject(replayed)
  })

  test('renewals, too, happen once for a key', async () => {
    const licensed = await devices.newDevice(await newCode())
    const renew = () =>
      devices.at('POST', `activations/${licensed.session.id}/renew`, {
        token: licensed.token,
        headers: { 'idempotency-key': 'renewal' },
        body: {},
      })
    expect((await renew()).text).toBe((await renew()).text)
  })

  test('an activation outlives the process that answered it', { timeout: 60_000 }, async () => {
    const activationCode = await newCode(1)
    const activateAt = async (origin: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${origin}/t/sandbox/api/v1/provision/activations/license`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ activationCode, fingerprint: 'one' }),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const key = { 'idempotency-key': 'outlives' }
    const first = start(server.databaseUrl)
    const answered = await activateAt(await originOf(first), key)
    first.kill('SIGKILL')
    const second = await originOf(start(server.databaseUrl))
    expect(await activateAt(second, key)).toEqual(answered)
    const again = await activateAt(second)
    expect(JSON.parse(again.text).session.id).toBe(JSON.parse(answered.text).session.id)
  })

  test('an activation is replayed after 400 days', async () => {
    const body = { activationCode: await newCode(), fingerprint: 'one' }
    const key = newKey()
    const first = await activate(key, body)
    await must(devices.at('POST', 'admin/test-clock/advance', { body: { by: 'P400D' } }))
    const token = { token: await server.tokenWith(['admin.*:*'], 'sandbox') }
    const again = await activate(key, body)
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true'])
    const other = await activate(key, { ...body, fingerprint: 'two' })
    expect(other.body.codeName).toBe('request.idempotency_conflict')
    const sessions = await must(devices.at('GET', 'admin/sessions/activations', token))
    expect(
      sessions.items.filter((one: { activationCode: string }) => one.activationCode === body.activationCode),
    ).toHaveLength(1)
  })
})
