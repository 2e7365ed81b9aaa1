import { expect, test } from 'vitest'
import { groupContracts } from '../../../server/access/organization-groups/contract.ts'
import { membersAmong } from '../../../server/access/organization-groups/membership.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf, testCollection } from '../catalog/catalog-collection.ts'

const path = '/api/v1/provision/admin/organization-groups'
const users = '/api/v1/provision/admin/users'
const entitlements = '/api/v1/provision/admin/entitlements'
const offers = `${entitlements}/offers`

forEachStore((store) => {
  const server = serveTests(store)
  const newUser = async (tenant: 'acme' | 'neighbour' = 'acme'): Promise<string> =>
    (await must(server.api('POST', users, { tenant, body: { email: `member-${nextNumber()}@example.com` } }))).id
  const newGroup = (members: string[] = []) =>
    must(server.api('POST', path, { body: { name: `Group ${nextNumber()}`, members } }))
  const read = ({ id }: { id: string }) => must(server.api('GET', `${path}/${id}`))
  const member = (method: string, group: { id: string }, userId: string, headers = {}) =>
    server.api(method, `${path}/${group.id}/members/${userId}`, { headers })

  testCollection(() => server, {
    path,
    body: async (_server, n) => ({
      name: `Engineers ${n}`,
      description: 'Those who draw',
      externalReference: `AD-${n}`,
      members: [await newUser()],
    }),
    rename: (n) => ({ name: `Designers ${n}` }),
    alter: { description: 'Those who design' },
    fields: ['name', 'description', 'externalReference', 'members'],
    filterable: groupContracts.list.filterable,
    isOutsideCatalog: true,
  })

  test('a name that is taken is refused in so many words', async () => {
    const [{ name }, other] = [await newGroup(), await newGroup()]
    for (const refused of [
      await server.api('POST', path, { body: { name } }),
      await server.api('PATCH', `${path}/${other.id}`, { body: { name } }),
    ])
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        'There is an organization group of this name already.',
      ])
    await must(server.api('POST', path, { tenant: 'neighbour', body: { name } }))
  })

  test('members are replaced by a list, and join and leave one at a time', async () => {
    const [ada, ben, cleo] = [await newUser(), await newUser(), await newUser()]
    const group = await newGroup([ben, ada.toUpperCase(), ben])
    expect(group.members).toEqual([ada, ben].sort())
    const joined = await must(member('POST', group, cleo))
    expect(joined).toMatchObject({ members: [ada, ben, cleo].sort(), revisionNumber: 2 })
    expect(await must(member('POST', group, cleo))).toEqual(joined)
    expect((await member('DELETE', group, ada, { 'if-match': '"1"' })).status).toBe(412)
    await must(member('DELETE', group, ada.toUpperCase()))
    expect(problemOf(await member('DELETE', group, ada))).toEqual([404, 'license.record_not_found'])
    expect(await read(group)).toMatchObject({ members: [ben, cleo].sort(), revisionNumber: 3 })
    const same = await must(server.api('PATCH', `${path}/${group.id}`, { body: { members: [cleo, ben] } }))
    expect(same.revisionNumber).toBe(3)
    const cleared = await must(server.api('PUT', `${path}/${group.id}`, { body: { name: group.name, members: [] } }))
    expect(cleared).toMatchObject({ members: [], revisionNumber: 4 })
  })

  test('members who join at once all stay', async () => {
    const group = await newGroup()
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => newUser()))
    await Promise.all(ids.map((id) => must(member('POST', group, id))))
    expect((await read(group)).members).toEqual(ids.sort())
  })

  test('only users of the tenant are members', async () => {
    const group = await newGroup()
    const foreign = await newUser('neighbour')
    for (const id of [foreign, noSuchId]) {
      expect(problemOf(await member('POST', group, id))).toEqual([404, 'license.record_not_found'])
      const refused = await server.api('PATCH', `${path}/${group.id}`, { body: { members: [await newUser(), id] } })
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/members/1' }] } })
    }
    const theirs = await server.api('POST', `${path}/${group.id}/members/${foreign}`, { tenant: 'neighbour' })
    expect(theirs.status).toBe(404)
  })

  test('a group has at most 5000 members', async () => {
    const many = Array.from({ length: 5001 }, () => noSuchId)
    const refused = await server.api('POST', path, { body: { name: 'Everybody', members: many } })
    expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
  })

  test('who is deleted is a member of nothing', async () => {
    const [ada, ben] = [await newUser(), await newUser()]
    const group = await newGroup([ada, ben])
    const database = openDatabase(server.databaseUrl)
    const asked = async (id: string) =>
      (await membersAmong(database.read, server.tenantIds.acme, [[group.id, id]])).length === 1
    try {
      expect([await asked(ada), await asked(ben), await asked(noSuchId)]).toEqual([true, true, false])
      await must(server.api('DELETE', `${users}/${ada}`))
      expect((await read(group)).members).toEqual([ben])
      expect([await asked(ada), await asked(ben)]).toEqual([false, true])
      await must(server.api('DELETE', `${path}/${group.id}`))
      expect(await asked(ben)).toBe(false)
    } finally {
      await database.close()
    }
  })

  test('who is a member of what is one question, however many are asked of', async () => {
    const [ada, ben] = [await newUser(), await newUser()]
    const [first, second] = [await newGroup([ada]), await newGroup([ada, ben])]
    const deleted = await newGroup([ben])
    await must(server.api('DELETE', `${path}/${deleted.id}`))
    const foreign = await newUser('neighbour')
    const theirs = await must(
      server.api('POST', path, { tenant: 'neighbour', body: { name: `Group ${nextNumber()}`, members: [foreign] } }),
    )
    const database = openDatabase(server.databaseUrl)
    try {
      let statements = 0
      const counted = database.read.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements++
          return result
        },
      })
      const members = [
        [first.id, ada],
        [second.id.toUpperCase(), ada.toUpperCase()],
        [second.id, ben],
      ] as const
      const others = [
        [first.id, ben],
        [deleted.id, ben],
        [theirs.id, foreign],
        [noSuchId, ada],
      ] as const
      expect(await membersAmong(counted, server.tenantIds.acme, [...members, ...others])).toEqual(members)
      expect(statements).toBe(1)
      expect(await membersAmong(counted, server.tenantIds.acme, [])).toEqual([])
      expect(statements).toBe(1)
    } finally {
      await database.close()
    }
  })

  test('a group that a code of a live entitlement asks for cannot be deleted until the code is revoked', async () => {
    const group = await newGroup()
    const { id } = await must(server.api('POST', entitlements, { body: { name: 'CAD', status: 'Active' } }))
    const codes = `${entitlements}/${id}/activation-codes`
    const code = await must(server.api('POST', codes, { body: { organizationGroupId: group.id } }))
    const refused = await server.api('DELETE', `${path}/${group.id}`)
    expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    expect(refused.body.detail).toContain('is used by entitlement:CAD.')
    await must(server.api('POST', `${codes}/${code.id}/revoke`))
    await must(server.api('DELETE', `${path}/${group.id}`))
  })

  test('a group that an offer asks for cannot be deleted, and the refusal names the offer', async () => {
    const group = await newGroup()
    const name = `For a group ${nextNumber()}`
    const activationPolicy = { requireOrganizationGroupMember: group.id.toUpperCase() }
    const offer = await must(server.api('POST', offers, { body: { name, activationPolicy } }))
    const refused = await server.api('DELETE', `${path}/${group.id}`)
    expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    expect(refused.body.detail).toContain(`offer:${name}`)
    await must(server.api('DELETE', `${offers}/${offer.id}`))
    await must(server.api('DELETE', `${path}/${group.id}`))
  })
})
