import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const sandbox = devicesOf(server, { tenant: 'sandbox' })

  /** A user with a token of their own, and an entitlement that is assigned to them. */
  async function newUser(licensePolicy: object = {}) {
    const user = await sandbox.post('admin/users', { email: `user${nextNumber()}@x.example` })
    const entitlement = await sandbox.newEntitlement({ licensePolicy })
    await sandbox.post(`admin/entitlements/${entitlement.id}/principals/${user.id}`)
    const signIn = async () => (await sandbox.post(`operational/users/${user.id}/tokens`)).access_token as string
    return { user, signIn }
  }
  const activate = async (token: string, fingerprint: string): Promise<Json> => {
    const body = { useInteractiveUser: true, fingerprint }
    const answer = await sandbox.at('POST', 'activations/license', { token, body })
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    return answer.body
  }
  const release = (token: string, id: string) => sandbox.at('POST', `consumer/me/sessions/${id}/release`, { token })
  const list = async (token: string) => (await sandbox.at('GET', 'consumer/me/sessions', { token })).body

  test('a user sees the sessions of their own devices, frees a lost one, and the device is refused', async () => {
    const { signIn } = await newUser({ maxDeviceActivations: 1 })
    const token = await signIn()
    const lost = await activate(token, 'lost')
    expect((await list(token)).items.map((session: Json) => session.id)).toEqual([lost.session.id])
    const first = await release(token, lost.session.id)
    expect(first.body).toEqual({ sessionId: lost.session.id, released: true, releasedAt: expect.any(String) })
    expect((await release(token, lost.session.id)).body).toEqual(first.body)
    expect(problemOf(await sandbox.say('check-in', lost))).toEqual([403, 'license.session_not_valid'])
    expect((await list(token)).totalCount).toBe(0)
    expect((await activate(token, 'new')).session.id).not.toBe(lost.session.id)
  })

  test("another user's session, another tenant's and none at all are answered alike, and other tokens are none", async () => {
    const [one, other] = [await newUser(), await newUser()]
    const token = await one.signIn()
    const theirs = await activate(await other.signIn(), 'theirs')
    const answers = [
      await release(token, theirs.session.id),
      await release(token, '0190aaaa-0000-7000-8000-000000000000'),
    ]
    for (const answer of answers) expect(problemOf(answer)).toEqual([404, 'license.record_not_found'])
    expect((await release(theirs.token, theirs.session.id)).status).toBe(401)
    expect((await release(server.tokens.sandbox, theirs.session.id)).status).toBe(401)
    expect((await server.api('GET', '/api/v1/provision/consumer/me/sessions', { token })).status).toBe(401)
  })

  test('a user frees three devices in thirty days, or as many as the tenant says, also at once', async () => {
    const { signIn } = await newUser()
    const token = await signIn()
    const sessions: Json[] = []
    for (let device = 0; device < 6; device++) sessions.push((await activate(token, `device ${device}`)).session)
    const answers = await Promise.all(sessions.slice(0, 5).map(({ id }) => release(token, id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const answer of refused) {
      expect(problemOf(answer)).toEqual([429, 'request.rate_limited'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(29 * 86_400)
    }
    await sandbox.patch('admin/settings', { lostDevices: { most: 4 } })
    expect((await release(token, sessions[5].id)).status).toBe(200)
    await sandbox.patch('admin/settings', { lostDevices: { most: 3 } })
    await sandbox.advance('P31D')
    const later = await signIn()
    const open = (await sandbox.get(`admin/sessions/activations?filter=isRevoked==false&pageSize=100`)).items.find(
      (session: Json) => sessions.some(({ id }) => id === session.id) && session.releasedAt === null,
    )
    expect((await release(later, open.id)).status).toBe(200)
  })

  test('within however long: what was freed counts, and nothing else', async () => {
    const { signIn } = await newUser()
    const token = await signIn()
    const sessions: Json[] = []
    for (let device = 0; device < 3; device++) sessions.push((await activate(token, `aged ${device}`)).session)
    await sandbox.patch('admin/settings', { lostDevices: { most: 1, within: 'P999Y' } })
    expect((await release(token, sessions[0].id)).status).toBe(200)
    for (const within of ['P999Y', 'P999999Y']) {
      await sandbox.patch('admin/settings', { lostDevices: { within } })
      const answer = await release(token, sessions[1].id)
      expect(problemOf(answer)).toEqual([429, 'request.rate_limited'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(900 * 365 * 86_400)
    }
    await sandbox.patch('admin/settings', { lostDevices: { most: 2 } })
    expect((await release(token, sessions[1].id)).status).toBe(200)
    await sandbox.patch('admin/settings', { lostDevices: { most: 3, within: 'P30D' } })
  })

  test('a seat that may not be given back is not freed, and a revoked session is said to be', async () => {
    const { signIn } = await newUser({ allowRelease: false })
    const token = await signIn()
    const held = await activate(token, 'held')
    expect(problemOf(await release(token, held.session.id))).toEqual([403, 'license.release_not_allowed'])
    await sandbox.post(`admin/sessions/activations/${held.session.id}/revoke`)
    expect(problemOf(await release(token, held.session.id))).toEqual([403, 'license.session_not_valid'])
  })
})
