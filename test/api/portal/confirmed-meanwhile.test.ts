import { expect, test } from 'vitest'
import { deadlocksOf } from '../../support/deadlocks.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { plannedEntitlements } from '../entitlements/planned-entitlements.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const { admin, made, newEntitlement } = plannedEntitlements(server)
  const ask = (method: string, where: string, more: object = {}) =>
    server.api(method, `/api/v1/provision/${where}`, more)

  test('a user who asks for another plan and a confirmed registration of theirs do not wait in a circle', async () => {
    const before = await deadlocksOf(store.kind, server.databaseUrl)
    const oneRace = async () => {
      const email = `again${nextNumber()}@x.example`
      const { id: userId } = await admin.post('users', { email })
      const { id } = await newEntitlement({ renewalPolicy: { planChangeApproval: 'Manual' } })
      await admin.post(`entitlements/${id}/principals/${userId}`)
      const { access_token: token } = await must(ask('POST', `operational/users/${userId}/tokens`))
      await must(ask('POST', 'registrations', { token: null, body: { email } }))
      const { items } = await must(ask('GET', `admin/registrations?filter=email==${email}`))
      const body = { planSetId: made.set.id, planName: 'Pro' }
      const [asked, confirmed] = await Promise.all([
        ask('POST', `consumer/me/entitlements/${id}/plan-change-requests`, { token, body }),
        ask('POST', `admin/registrations/${items[0].id}/confirm`),
      ])
      expect([asked.status, confirmed.status]).toEqual([200, 200])
    }
    for (let round = 0; round < 8; round++) await Promise.all(Array.from({ length: 4 }, oneRace))
    expect((await deadlocksOf(store.kind, server.databaseUrl)) - before).toBe(0)
  }, 60_000)
})
