import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { deadlocksOf } from '../../support/deadlocks.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const devices = devicesOf(server)
  const requests = 'admin/data-subject-requests'
  const newUser = async () => {
    const { id } = await devices.post('admin/users', { email: `erased${nextNumber()}@x.example` })
    return { id: id as string, token: (await devices.post(`operational/users/${id}/tokens`)).access_token as string }
  }

  test('a user who frees their devices and an erasure of them do not wait in a circle', async () => {
    const before = await deadlocksOf(store.kind, server.databaseUrl)
    for (let round = 0; round < 12; round++) {
      const user = await newUser()
      const entitlement = await devices.newEntitlement({ licensePolicy: { maxDeviceActivations: 3 } })
      await devices.post(`admin/entitlements/${entitlement.id}/principals/${user.id}`)
      const held: string[] = []
      for (let device = 0; device < 3; device++) {
        const body = { useInteractiveUser: true, fingerprint: `${device} of ${user.id}` }
        held.push((await must(devices.at('POST', 'activations/license', { token: user.token, body }))).session.id)
      }
      const erasure = await must(
        devices.at('POST', 'consumer/me/data-subject-requests', { token: user.token, body: { kind: 'Erasure' } }),
      )
      await devices.post(`${requests}/${erasure.id}/approve`, {})
      const release = async (id: string) =>
        (await devices.at('POST', `consumer/me/sessions/${id}/release`, { token: user.token })).status
      const [done, ...released] = await Promise.all([
        devices.at('POST', `${requests}/${erasure.id}/complete`, { body: {} }),
        ...held.map((id) => release(id)),
      ])
      expect(done.status).toBe(200)
      for (const status of released) expect([200, 204, 401, 404]).toContain(status)
    }
    expect((await deadlocksOf(store.kind, server.databaseUrl)) - before).toBe(0)
  }, 60_000)

  test('a group is made of a user, or the user is erased before, which is said', async () => {
    for (let round = 0; round < 30; round++) {
      const user = await newUser()
      const body = { kind: 'Erasure' }
      const erasure = await must(devices.at('POST', 'consumer/me/data-subject-requests', { token: user.token, body }))
      await devices.post(`${requests}/${erasure.id}/approve`, {})
      const complete = devices.at('POST', `${requests}/${erasure.id}/complete`, { body: {} })
      await sleep(Math.random() * 12)
      const group = { name: `Group ${nextNumber()}`, members: [user.id] }
      const [done, made] = await Promise.all([
        complete,
        devices.at('POST', 'admin/organization-groups', { body: group }),
      ])
      expect(done.status).toBe(200)
      expect([200, 400]).toContain(made.status)
      if (made.status === 200)
        expect((await devices.get(`admin/organization-groups/${made.body.id}`)).members).toEqual([])
    }
  }, 60_000)
})
