import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { codesOf } from '../entitlements/coded-entitlements.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const { at, newCode, newEntitlement } = codesOf(server)

  const newUser = async (emailVerified: boolean, assignedTo: string[] = []) => {
    const email = `Ada.${nextNumber()}@x.example`
    const { id } = await must(at('POST', 'admin/users', { body: { email, emailVerified } }))
    for (const entitlement of assignedTo) await must(at('POST', `admin/entitlements/${entitlement}/principals/${id}`))
    const { access_token: token } = await must(at('POST', `operational/users/${id}/tokens`))
    return { id: id as string, email, token: token as string }
  }
  const list = (token: string, query = ''): Promise<Json> =>
    must(at('GET', `consumer/me/activation-codes${query}`, { token }))
  const idsOf = async (token: string) => (await list(token)).items.map(({ id }: Json) => id)

  test('a user sees the codes issued to them, by name or as one to whom the entitlement is assigned, and no others', async () => {
    const [assigned, another] = [await newEntitlement({ name: 'Mine' }), await newEntitlement({ name: 'Not mine' })]
    const user = await newUser(true, [assigned.id])
    const colleague = await newUser(true, [assigned.id])
    const shared = await newCode(assigned.id)
    const addressed = await newCode(another.id, { email: user.email.toUpperCase(), maxDeviceActivations: 2 })
    const personal = await newCode(another.id, { requiredUserId: user.id, email: 'else@x.example' })
    await newCode(another.id)
    await newCode(another.id, { email: user.email, requiredUserId: colleague.id })
    await newCode(assigned.id, { requiredUserId: colleague.id })
    const theirs = await newCode(assigned.id, { email: colleague.email })
    await must(
      at(
        'DELETE',
        `admin/entitlements/${another.id}/activation-codes/${(await newCode(another.id, { email: user.email })).id}`,
      ),
    )
    const { items } = await list(user.token)
    expect(items.map(({ id }: Json) => id)).toEqual([shared.id, addressed.id, personal.id])
    expect(items[1]).toEqual({
      ...{ id: addressed.id, activationCode: addressed.activationCode, entitlementId: another.id },
      ...{ entitlementName: 'Not mine', status: 'Pending', usedActivations: 0, maxDeviceActivations: 2 },
      ...{ useEntitlementMaxActivations: false, email: user.email.toUpperCase(), isTrialActivation: false },
      ...{ requiresUserConsent: false, expirationTimeStamp: null, createdAt: addressed.createdAt },
    })
    expect(await idsOf(colleague.token)).toContain(theirs.id)
    expect((await at('GET', 'consumer/me/activation-codes')).status).toBe(401)
  })

  test('an address that nobody has proved opens no codes but those of entitlements that are assigned', async () => {
    const [assigned, another] = [await newEntitlement(), await newEntitlement()]
    const user = await newUser(false, [assigned.id])
    const own = await newCode(assigned.id, { email: user.email })
    await newCode(another.id, { email: user.email })
    expect(await idsOf(user.token)).toEqual([own.id])
    await must(at('POST', `admin/entitlements/${assigned.id}/activation-codes/${own.id}/revoke`))
    expect((await list(user.token)).items).toMatchObject([{ id: own.id, status: 'Revoked' }])
  })

  test('codes are filtered and sorted by each of their fields, and by no code', async () => {
    const user = await newUser(true)
    const { id } = await newEntitlement()
    await newCode(id, { email: user.email, expirationTimeStamp: '2999-01-01T00:00:00Z' })
    const [item] = (await list(user.token)).items
    const { activationCode, ...fields } = item
    for (const [field, value] of Object.entries(fields)) {
      const filter = encodeURIComponent(`${field}==${String(value).replaceAll(/[,|\\()=!<>@_*-]/g, '\\$&')}`)
      expect([field, (await list(user.token, `?filter=${filter}&sortOrder=-${field}`)).items]).toEqual([field, [item]])
    }
    for (const field of ['activationCode', 'fingerprint', 'requiredUserId']) {
      const refused = await at('GET', `consumer/me/activation-codes?filter=${field}==${activationCode}`, {
        token: user.token,
      })
      expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
    }
  })
})
