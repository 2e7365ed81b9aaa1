import { expect, test } from 'vitest'
import { customerContracts } from '../../../server/entitlements/customers/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf, testCollection } from '../catalog/catalog-collection.ts'

const path = '/api/v1/provision/admin/customers'
const entitlements = '/api/v1/provision/admin/entitlements'

forEachStore((store) => {
  const server = serveTests(store)

  testCollection(() => server, {
    path,
    body: async (_server, n) => ({
      name: `Acme ${n}`,
      email: `buyer-${n}@example.com`,
      externalReference: `CRM-${n}`,
      description: 'Buys a lot',
      metadata: 'gold',
    }),
    rename: (n) => ({ name: `Acme & Sons ${n}` }),
    alter: { description: 'Buys more' },
    fields: ['name', 'email', 'externalReference', 'description', 'metadata'],
    filterable: customerContracts.list.filterable,
    hasNoKey: true,
    isOutsideCatalog: true,
  })

  test('an empty text clears what may be none, and an address is one', async () => {
    const { id } = await must(server.api('POST', path, { body: { name: 'Acme', email: 'a@example.com' } }))
    const patch = (body: object) => server.api('PATCH', `${path}/${id}`, { body })
    expect((await must(patch({ email: '' }))).email).toBeNull()
    for (const body of [{ email: 'nobody' }, { name: '' }, { name: ' Acme' }])
      expect(problemOf(await patch(body))).toEqual([400, 'license.validation_error'])
  })

  test('a customer of a live entitlement cannot be deleted, and the refusal names it', async () => {
    const customer = await must(server.api('POST', path, { body: { name: `Acme ${nextNumber()}` } }))
    const sell = (name: string) =>
      must(server.api('POST', entitlements, { body: { name, status: 'Active', customerId: customer.id } }))
    const [entitlement, deleted] = [await sell('CAD'), await sell('Gone')]
    await must(server.api('DELETE', `${entitlements}/${deleted.id}`))
    const refused = await server.api('DELETE', `${path}/${customer.id}`)
    expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    expect(refused.body.detail).toContain('is used by entitlement:CAD.')
    await must(server.api('POST', `${entitlements}/${entitlement.id}/cancel`))
    await must(server.api('DELETE', `${path}/${customer.id}`))
  })
})
