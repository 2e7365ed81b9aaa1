import { expect, test } from 'vitest'
import { planOf, statementsHere } from '../../support/large-file.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
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

  test("an address is the user's own, its letters beyond ASCII large or small, their accents composed or not", async () => {
    const tag = nextNumber()
    const { id } = await newEntitlement()
    for (const [email, addressed, another] of [
      [`ärger.${tag}@müller.example`, `ÄRGER.${tag}@MÜLLER.example`, `arger.${tag}@müller.example`],
      [`a\u0308rgern.${tag}@x.example`, `a\u0308rgern.${tag}@x.example`, `argern.${tag}@x.example`],
      [`mike.${tag}@x.example`, `MIKE.${tag}@x.example`, `mi\u212ae.${tag}@x.example`],
    ] as const) {
      const { id: userId } = await must(at('POST', 'admin/users', { body: { email, emailVerified: true } }))
      const { access_token: token } = await must(at('POST', `operational/users/${userId}/tokens`))
      const theirs = await newCode(id, { email: addressed })
      await newCode(id, { email: another })
      expect(await idsOf(token)).toEqual([theirs.id])
    }
  })

  test.runIf(store.kind === 'sqlite')(
    'an index leads to the codes of each kind, however many the tenant has',
    async () => {
      const entitlement = await newEntitlement()
      await newCode(entitlement.id)
      const here = statementsHere()
      for (const isProved of [true, false]) {
        const user = await newUser(isProved, [entitlement.id])
        here.length = 0
        // A page that is full has its rows counted.
        for (const query of ['?filter=status==Pending', '?filter=status==Pending&sortOrder=-createdAt&pageSize=1'])
          expect(await list(user.token, query)).toMatchObject({ totalCount: 1 })
        const asked = here.filter((text) => text.includes('union all'))
        expect(asked).toHaveLength(3)
        for (const plan of asked.map((text) => planOf(server.databaseUrl, text)))
          expect(
            plan.match(/(?<= activation_codes USING INDEX activation_codes_by_).*|SCAN activation_codes .*/g),
          ).toEqual([
            'required_user (tenant_id=? AND required_user_id=?)',
            'lower_email (tenant_id=? AND <expr>=?)',
            'entitlement (tenant_id=? AND entitlement_id=?)',
          ])
      }
    },
  )

  test('an address that nobody has proved opens no codes but those of entitlements that are assigned', async () => {
    const [assigned, another] = [await newEntitlement(), await newEntitlement()]
    const user = await newUser(false, [assigned.id])
    const own = await newCode(assigned.id, { email: user.email })
    await newCode(another.id, { email: user.email })
    expect(await idsOf(user.token)).toEqual([own.id])
    await must(at('POST', `admin/entitlements/${assigned.id}/activation-codes/${own.id}/revoke`))
    expect((await list(user.token)).items).toMatchObject([{ id: own.id, status: 'Revoked' }])
  })

  test('codes are filtered and sorted by each of their fields, and filtered by a whole code', async () => {
    const user = await newUser(true)
    const { id } = await newEntitlement()
    await newCode(id, { email: user.email, expirationTimeStamp: '2999-01-01T00:00:00Z' })
    const [item] = (await list(user.token)).items
    const { activationCode, ...fields } = item
    for (const [field, value] of Object.entries(fields)) {
      const filter = encodeURIComponent(`${field}==${String(value).replaceAll(/[,|\\()=!<>@_*-]/g, '\\$&')}`)
      expect([field, (await list(user.token, `?filter=${filter}&sortOrder=-${field}`)).items]).toEqual([field, [item]])
    }
    expect((await list(user.token, `?filter=activationCode==${activationCode}`)).items).toEqual([item])
    expect((await list(user.token, '?filter=activationCode==ANOTHER')).items).toEqual([])
    for (const asked of [
      ...['fingerprint', 'requiredUserId'].map((field) => `filter=${field}==${activationCode}`),
      ...[`filter=activationCode@=${activationCode.slice(0, 3)}`, 'sortOrder=activationCode'],
    ]) {
      const refused = await at('GET', `consumer/me/activation-codes?${asked}`, { token: user.token })
      expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
    }
  })

  test.each([
    ['Floating', { licenseModel: 'Floating', leaseTime: 'PT10M' }],
    ['InactivityBased', { licenseModel: 'InactivityBased', inactivityTimeout: 'PT10M' }],
  ])(
    'a code is Pending again once its %s seats have lapsed, for the user and the back office',
    async (_model, licensePolicy) => {
      const sandbox = devicesOf(server, { tenant: 'sandbox' })
      const { id } = await sandbox.newEntitlement({ licensePolicy })
      const user = await sandbox.post('admin/users', { email: `grace.${nextNumber()}@x.example` })
      await sandbox.post(`admin/entitlements/${id}/principals/${user.id}`)
      const codes = `admin/entitlements/${id}/activation-codes`
      const code = await sandbox.newCode(id, { maxDeviceActivations: 1 })
      const device = await sandbox.newDevice(code.activationCode)
      /** How the code is told everywhere, in lists by what it is found by, too. */
      const told = async () => {
        const { access_token: token } = await sandbox.post(`operational/users/${user.id}/tokens`)
        const places = async (query: string) => {
          const own = await must(sandbox.at('GET', `consumer/me/activation-codes${query}`, { token }))
          const lists = [own.items, (await sandbox.get(`${codes}${query}`)).items]
          return lists.map((items) => items.find((item: Json) => item.id === code.id))
        }
        const { status, usedActivations } = await sandbox.get(`${codes}/${code.id}`)
        for (const query of ['', `?filter=status==${status}`, `?filter=usedActivations==${usedActivations}`])
          for (const item of await places(query)) expect(item).toMatchObject({ status, usedActivations })
        return [status, usedActivations]
      }
      expect(await told()).toEqual(['Exhausted', 1])
      await sandbox.advance('PT11M')
      expect(await told()).toEqual(['Pending', 0])
      const other = await sandbox.newCode(id, { maxDeviceActivations: 2 })
      const sorted = (await sandbox.get(`${codes}?sortOrder=-usedActivations,id`)).items
      expect(sorted.map((item: Json) => item.id)).toEqual([code.id, other.id])
      await sandbox.newDevice(code.activationCode, device.session.fingerprint)
      expect(await told()).toEqual(['Exhausted', 1])
      await sandbox.newDevice(other.activationCode)
      await sandbox.advance('PT11M')
      await sandbox.newDevice(other.activationCode)
      expect(await told()).toEqual(['Pending', 0])
      expect(await sandbox.post(`${codes}/${code.id}/revoke`)).toMatchObject({ status: 'Revoked', usedActivations: 0 })
    },
  )
})
