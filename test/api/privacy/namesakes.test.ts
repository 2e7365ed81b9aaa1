import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const devices = devicesOf(server)

  test('a customer with the address of a person who is erased, and called as they are, keeps neither', async () => {
    const [email, displayName] = [`sam${nextNumber()}@x.example`, `Sam Åkesson ${nextNumber()}`]
    const user = await devices.post('admin/users', { email, emailVerified: true, displayName })
    const customer = (name: string, address: string) => devices.post('admin/customers', { name, email: address })
    const own = await customer(displayName.toUpperCase(), email)
    await must(devices.at('PATCH', `admin/customers/${own.id}`, { body: { name: displayName } }))
    const firm = await customer('Åkesson Ltd', email)
    const other = await customer(displayName, `other.${email}`)
    const { access_token: token } = await devices.post(`operational/users/${user.id}/tokens`)
    const body = { kind: 'Erasure' }
    const { id } = await must(devices.at('POST', 'consumer/me/data-subject-requests', { token, body }))
    await devices.post(`admin/data-subject-requests/${id}/approve`, {})
    await must(devices.at('POST', `admin/data-subject-requests/${id}/complete`, { body: {} }))
    const read = async ({ id }: { id: string }) => {
      const { name, email: address } = await devices.get(`admin/customers/${id}`)
      return [name, address]
    }
    expect([await read(own), await read(firm), await read(other)]).toEqual([
      ['Erased', null],
      ['Åkesson Ltd', null],
      [displayName, `other.${email}`],
    ])
    const { items } = await devices.get(`admin/audit?filter=recordId==${own.id}`)
    expect(items.length).toBeGreaterThan(0)
    expect(JSON.stringify(items).toLowerCase()).not.toContain('åkesson')
  })
})
