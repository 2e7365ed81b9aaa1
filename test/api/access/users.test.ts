import { expect, test } from 'vitest'
import { userContracts } from '../../../server/access/users/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf, testCollection } from '../catalog/catalog-collection.ts'

const path = '/api/v1/provision/admin/users'

forEachStore((store) => {
  const server = serveTests(store)
  const post = (body: object) => server.api('POST', path, { body })
  const newUser = (body: object = {}) => must(post({ email: `user-${nextNumber()}@example.com`, ...body }))
  const patch = (user: { id: string }, body: object) => server.api('PATCH', `${path}/${user.id}`, { body })

  testCollection(() => server, {
    path,
    body: async (_server, n) => ({
      email: `Person.${n}@Example.com`,
      emailVerified: true,
      displayName: `Person ${n}`,
      issuer: 'https://accounts.example.com',
      subject: `subject-${n}`,
      externalReference: `CRM-${n}`,
      metadata: '{"seat":"window"}',
    }),
    rename: (n) => ({ email: `renamed-${n}@example.com` }),
    required: 'email',
    text: 'displayName',
    alter: { displayName: 'Somebody' },
    fields: [
      'email',
      'emailVerified',
      'displayName',
      'issuer',
      'subject',
      'externalReference',
      'isDisabled',
      'metadata',
    ],
    clashes: (body) => ({ email: String(body.email).toUpperCase() }),
    filterable: userContracts.list.filterable,
    isOutsideCatalog: true,
  })

  test('an address is told apart without regard to letter case, and keeps the casing it was written in', async () => {
    const n = nextNumber()
    const user = await newUser({ email: `Ünal.${n}@Example.com` })
    expect(user).toMatchObject({ email: `Ünal.${n}@Example.com`, emailVerified: false, isDisabled: false })
    for (const email of [`ünal.${n}@example.COM`, `U\u0308nal.${n}@example.com`]) {
      const refused = await post({ email })
      expect(problemOf(refused)).toEqual([409, 'catalog.duplicate_key'])
      expect(refused.body.detail).toBe('There is a user with this e-mail address already.')
    }
    const other = await newUser()
    expect(problemOf(await patch(other, { email: `ÜNAL.${n}@EXAMPLE.COM` }))).toEqual([409, 'catalog.duplicate_key'])
    expect((await must(patch(user, { email: `ünal.${n}@example.com` }))).email).toBe(`ünal.${n}@example.com`)
    const found = await must(
      server.api('GET', `${path}?filter=email==*${encodeURIComponent(user.email.toUpperCase())}`),
    )
    expect(found.items).toMatchObject([{ id: user.id }])
    await must(server.api('POST', path, { tenant: 'neighbour', body: { email: user.email } }))
  })

  test.each([
    'ada',
    'ada@',
    '@example.com',
    'a da@example.com',
    'ada@exa mple.com',
    'Ada <ada@example.com>',
    'ada@example.com, bob@example.com',
    'ada@example.com\nbcc:x@example.com',
    'a@b@c',
    '',
    `${'a'.repeat(250)}@b.co`,
  ])('%j is no address', async (email) => {
    expect(problemOf(await post({ email }))).toEqual([400, 'license.validation_error'])
  })

  test('a new address is not verified until it is said to be', async () => {
    const user = await newUser({ emailVerified: true })
    expect((await must(patch(user, { email: user.email.toUpperCase() }))).emailVerified).toBe(true)
    expect((await must(patch(user, { email: `new-${user.email}` }))).emailVerified).toBe(false)
    expect(await must(patch(user, { email: `newer-${user.email}`, emailVerified: true }))).toMatchObject({
      emailVerified: true,
    })
  })

  test('issuer and subject are told together, and belong to one user', async () => {
    const issuer = 'https://accounts.example.com'
    const subject = `twin-${nextNumber()}`
    const email = () => `twin-${nextNumber()}@example.com`
    expect((await post({ email: email(), issuer })).body.errors[0].pointer).toBe('/subject')
    expect((await post({ email: email(), subject })).body.errors[0].pointer).toBe('/issuer')
    const user = await newUser({ issuer, subject })
    const refused = await post({ email: email(), issuer, subject })
    expect(problemOf(refused)).toEqual([409, 'catalog.duplicate_key'])
    expect(refused.body.detail).toBe('There is a user with this subject of this issuer already.')
    await newUser({ issuer: 'https://other.example.com', subject })
    expect(await must(patch(user, { issuer: '', subject: '' }))).toMatchObject({ issuer: null, subject: null })
    await newUser({ issuer, subject })
  })
})
