import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openMail } from '../../../server/kit/mail.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { listenForMail } from './smtp-listener.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = {} as TestServer
  let mail: Awaited<ReturnType<typeof listenForMail>>
  beforeAll(async () => {
    mail = await listenForMail((line) => !line.includes('nobody'))
    Object.assign(server, await startTestServer(store, { mail: { smtpUrl: mail.smtpUrl, from: 'no@x.example' } }))
  })
  afterAll(async () => {
    await server.close?.()
    await mail.close()
  })
  const beside = databaseBeside(server)
  const sandbox = devicesOf(server, { tenant: 'sandbox' })
  const live = devicesOf(server)

  const newEmail = () => `ada${nextNumber()}@x.example`
  const ask = (body: object, more: object = {}) => sandbox.at('POST', 'registrations', { token: null, body, ...more })
  const register = async (body: object): Promise<string> => (await must(ask(body))).confirmationToken
  const confirm = (token: string) => sandbox.at('POST', 'registrations/confirm', { token: null, body: { token } })
  const usersCalled = async (email: string): Promise<Json[]> =>
    (await sandbox.get(`admin/users?filter=email==${email}`)).items
  const newOffer = async (body: object = {}): Promise<Json> => {
    const offer = await sandbox.post('admin/entitlements/offers', {
      ...{ name: `Welcome ${nextNumber()}`, status: 'Active', issueOnUserRegistration: true },
      ...body,
    })
    return offer
  }

  test('whoever confirms is a user with a verified address and what each offer gives, of each once', async () => {
    const [offer, other] = [await newOffer(), await newOffer({ issueOnUserRegistration: false })]
    // What a customer holds is no offer, whatever it says.
    const [suspended, held] = [await newOffer(), await sandbox.newEntitlement({ issueOnUserRegistration: true })]
    await sandbox.post(`admin/entitlements/offers/${suspended.id}/suspend`)
    const email = newEmail()
    const token = await register({ email, displayName: 'Ada' })
    expect(await usersCalled(email)).toEqual([])
    const correlationId = `confirmed-${nextNumber()}`
    const headers = { 'x-correlation-id': correlationId }
    const confirmed = await must(sandbox.at('POST', 'registrations/confirm', { token: null, body: { token }, headers }))
    const [user] = await usersCalled(email)
    expect(user).toMatchObject({ id: confirmed.userId, email, emailVerified: true, displayName: 'Ada' })
    const given = await sandbox.get(`admin/entitlements?filter=sourceOfferId==${offer.id}`)
    expect(given.items).toMatchObject([{ id: confirmed.entitlementIds[0], status: 'Active', name: offer.name }])
    const assigned = await sandbox.get(`admin/entitlements/${given.items[0].id}/principals`)
    expect(assigned.items).toMatchObject([{ userId: user.id }])
    for (const { id } of [other, suspended, held])
      expect((await sandbox.get(`admin/entitlements?filter=sourceOfferId==${id}`)).totalCount).toBe(0)
    const audited = async (filter: string): Promise<Json> => (await sandbox.get(`admin/audit?filter=${filter}`)).items
    const entry = { operation: 'registrations.confirm', actor: `user:${user.id}`, correlationId }
    const entitlementId = given.items[0].id
    expect((await audited(`correlationId==${correlationId}`)).reverse()).toMatchObject([
      { ...entry, recordKind: 'users', recordId: user.id, before: null, after: user },
      { ...entry, recordKind: 'entitlements', recordId: entitlementId, before: null, after: { status: 'Active' } },
      { ...entry, recordKind: 'entitlements.principals', recordId: entitlementId, after: { '/principalId': user.id } },
    ])
    // Known by another spelling of the address, the user stays who it is, and gets nothing twice.
    const again = await must(confirm(await register({ email: email.toUpperCase(), displayName: 'Someone else' })))
    expect(again).toEqual({ userId: user.id, email, entitlementIds: [] })
    expect(await usersCalled(email)).toEqual([user])
    expect(await audited(`actor==user:${user.id}`)).toHaveLength(3)
    await sandbox.post(`admin/entitlements/offers/${offer.id}/suspend`)
  })

  test('whoever proves an address that only folds to that of a user is not that user', async () => {
    const name = `victim${nextNumber()}`
    const { id } = await sandbox.post('admin/users', { email: `${name}@github.example` })
    for (const email of [`${name.replace('i', 'İ')}@github.example`, `${name}@gİthub.example`])
      expect(problemOf(await confirm(await register({ email })))).toEqual([404, 'license.record_not_found'])
    expect(await sandbox.get(`admin/users/${id}`)).toMatchObject({ emailVerified: false })
    const own = await must(confirm(await register({ email: `${name.toUpperCase()}@GitHub.example` })))
    expect(own).toMatchObject({ userId: id, email: `${name}@github.example` })
  })

  test('an offer need not be activated to be given, as it need not be to be cloned or tried', async () => {
    const offer = await newOffer({ status: null })
    expect(offer.status).toBe('Draft')
    const { userId, entitlementIds } = await must(confirm(await register({ email: newEmail() })))
    const [id] = entitlementIds
    expect(await sandbox.get(`admin/entitlements/${id}`)).toMatchObject({ status: 'Active', sourceOfferId: offer.id })
    expect((await sandbox.get(`admin/entitlements/${id}/principals`)).items).toMatchObject([{ userId }])
    await must(sandbox.at('DELETE', `admin/entitlements/offers/${offer.id}`))
  })

  test('confirmed at once by two tokens of one address there is one user, and one entitlement', async () => {
    const offer = await newOffer()
    const email = newEmail()
    const tokens = [await register({ email }), await register({ email })]
    const answers = await Promise.all([...tokens, ...tokens].map(confirm))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    expect((await sandbox.get(`admin/entitlements?filter=sourceOfferId==${offer.id}`)).totalCount).toBe(1)
    await sandbox.post(`admin/entitlements/offers/${offer.id}/suspend`)
  })

  test('an offer that has ended is passed over, and stands in the way of nobody', async () => {
    const { now } = await sandbox.get('admin/test-clock')
    const ended = await newOffer({ expirationDateTime: new Date(Date.parse(now) + 3_600_000).toISOString() })
    const [offer, early] = [await newOffer(), await register({ email: newEmail() })]
    const given = async (token: string): Promise<string[]> => {
      const { entitlementIds } = await must(confirm(token))
      return Promise.all(
        entitlementIds.map(async (id: string) => (await sandbox.get(`admin/entitlements/${id}`)).sourceOfferId),
      )
    }
    expect(await given(early)).toEqual([ended.id, offer.id])
    await sandbox.advance('PT1H')
    expect(await sandbox.get(`admin/entitlements/offers/${ended.id}`)).toMatchObject({ status: 'Active' })
    expect(await given(await register({ email: newEmail() }))).toEqual([offer.id])
    for (const { id } of [ended, offer]) await sandbox.post(`admin/entitlements/offers/${id}/suspend`)
  })

  test('confirmed while the back office makes the same user, they are that one', async () => {
    const offer = await newOffer()
    const body = { displayName: 'Made' }
    for (let times = 0; times < 6; times++) {
      const email = newEmail()
      const token = await register({ email })
      const headers = { 'idempotency-key': email }
      const [confirmed, made] = await Promise.all([
        sandbox.at('POST', 'registrations/confirm', { token: null, body: { token }, headers }),
        sandbox.at('POST', 'admin/users', { body: { ...body, email } }),
      ])
      expect([confirmed.status, confirmed.body.entitlementIds.length]).toEqual([200, 1])
      expect(made.status === 200 ? made.body.id : made.body.codeName).toBe(
        made.status === 200 ? confirmed.body.userId : 'catalog.duplicate_key',
      )
      expect(await usersCalled(email)).toMatchObject([{ id: confirmed.body.userId, emailVerified: true }])
    }
    await sandbox.post(`admin/entitlements/offers/${offer.id}/suspend`)
  })

  test('a known address is answered as an unknown one, and a token that is none, was used or is late alike', async () => {
    const email = newEmail()
    const used = await register({ email })
    await must(confirm(used))
    const [known, unknown] = [await ask({ email }), await ask({ email: newEmail() })]
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body))
    const disabled = newEmail()
    const user = await sandbox.post('admin/users', { email: disabled, isDisabled: true })
    expect(problemOf(await confirm(await register({ email: disabled })))).toEqual([404, 'license.record_not_found'])
    const late = await register({ email: newEmail() })
    const ofNeighbour = await live.at('POST', 'registrations/confirm', { token: null, body: { token: late } })
    await sandbox.advance('PT24H')
    const refused = [ofNeighbour, await confirm('none'), await confirm(used), await confirm(late)]
    for (const { status, body } of refused) expect([status, body.detail]).toEqual([404, refused[0]!.body.detail])
    expect(await sandbox.get(`admin/users/${user.id}`)).toEqual(user)
    expect((await sandbox.get('admin/registrations')).items).toEqual([])
    // Whoever did not confirm in time is forgotten when the next one comes.
    await register({ email })
    const kept = beside.open.read.selectFrom('registrations').select('email')
    expect(await kept.where('tenant_id', '=', server.tenantIds.sandbox).execute()).toEqual([{ email }])
  })

  test('with an activation code admission decides, and its entitlement becomes theirs', async () => {
    const { id } = await sandbox.newEntitlement()
    const { activationCode } = await sandbox.newCode(id)
    const confirmed = await must(confirm(await register({ email: newEmail(), activationCode })))
    expect(confirmed.entitlementIds).toEqual([id])
    expect((await sandbox.get(`admin/entitlements/${id}/principals`)).items).toMatchObject([
      { userId: confirmed.userId },
    ])
    const token = await register({ email: newEmail(), activationCode })
    await sandbox.post(`admin/entitlements/${id}/suspend`)
    const refusals = [
      await ask({ email: newEmail(), activationCode }),
      await ask({ email: newEmail(), activationCode: 'no such code' }),
    ]
    for (const answer of refusals) expect(problemOf(answer)).toEqual([403, 'license.sign_up_not_admitted'])
    expect(refusals[0]!.body.detail).toBe(refusals[1]!.body.detail)
    expect((await must(confirm(token))).entitlementIds).toEqual([id])
  })

  test('on a live tenant the token comes by e-mail alone, once for an Idempotency-Key', async () => {
    const email = newEmail()
    const asked = { token: null, body: { email, displayName: 'Buy pills' }, headers: { 'idempotency-key': email } }
    const answer = await must(live.at('POST', 'registrations', asked))
    expect(answer).toEqual({ expiresAt: expect.any(String) })
    expect(await must(live.at('POST', 'registrations', asked))).toEqual(answer)
    const mine = () => mail.letters.filter((letter) => letter.includes(`To: ${email}`))
    await vi.waitFor(() => expect(mine()).toHaveLength(1), { timeout: 5000 })
    expect(mine()[0]).toContain('Subject: The tenant acme: confirm your e-mail address')
    expect(mine()[0]).not.toContain('pills')
    const [token] = /^[\w-]{43}$/m.exec(mine()[0]!)!
    const confirmed = await must(live.at('POST', 'registrations/confirm', { token: null, body: { token } }))
    expect(confirmed.email).toBe(email)
    expect(mine()).toHaveLength(1)
    // The way to people's mailboxes stays in this thread.
    await live.get('admin/catalog/export')
  })

  test('that a letter was not taken is told without its address, its token or what the mail server said', async () => {
    const told: string[] = []
    const sender = openMail({ smtpUrl: mail.smtpUrl, from: 'no@x.example' }, (reason) => told.push(reason))
    sender.send({ to: 'nobody@x.example', subject: 'Confirm', text: 'token' })
    sender.send({ to: 'some@x.example', subject: 'Confirm', text: 'token' })
    await sender.close()
    expect(told).toEqual(['EENVELOPE 550'])
  })

  test('an operator sees who waits, and vouches for an address', async () => {
    const email = newEmail()
    await register({ email, displayName: 'Grace' })
    const waiting = (query: string) => sandbox.get(`admin/registrations?filter=${encodeURIComponent(query)}`)
    const { items } = await waiting(`email==${email}`)
    expect(items).toEqual([
      {
        id: expect.any(String),
        email,
        displayName: 'Grace',
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ])
    const path = `admin/registrations/${items[0].id}/confirm`
    expect(problemOf(await live.at('POST', path))).toEqual([404, 'license.record_not_found'])
    const reader = await server.tokenWith(['admin.users:read'], 'sandbox')
    expect(problemOf(await sandbox.at('POST', path, { token: reader }))).toEqual([403, 'auth.insufficient_scope'])
    expect(await sandbox.post(path)).toMatchObject({ email })
    expect((await waiting(`email==${email}`)).totalCount).toBe(0)
    const [user] = await usersCalled(email)
    expect(user.emailVerified).toBe(true)
    const told = (await sandbox.get(`admin/audit?filter=recordId==${user.id}`)).items
    const vouched = { operation: 'admin.registrations.confirm', actor: expect.stringMatching(/^client:/) }
    expect(told).toMatchObject([{ ...vouched, before: null, after: user }])
  })

  test('an address is registered five times an hour, and must be one', async () => {
    const email = newEmail()
    for (let times = 0; times < 6; times++)
      expect(problemOf(await ask({ email, activationCode: 'mistyped' }))).toEqual([403, 'license.sign_up_not_admitted'])
    const once = { headers: { 'idempotency-key': email } }
    const first = await must(ask({ email }, once))
    for (let times = 0; times < 6; times++) expect(await must(ask({ email }, once))).toEqual(first)
    for (let times = 0; times < 4; times++) await register({ email })
    const limited = await ask({ email: email.toUpperCase() })
    expect(problemOf(limited)).toEqual([429, 'request.rate_limited'])
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3500)
    await sandbox.advance('PT59M')
    const later = await ask({ email })
    expect(problemOf(later)).toEqual([429, 'request.rate_limited'])
    expect(Number(later.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    await sandbox.advance('PT1M')
    await register({ email })
    for (const body of [{}, { email: 'ada' }, { email: newEmail(), password: 'x' }, { email: 'a@x\r\nBcc: b@x' }])
      expect(problemOf(await ask(body))).toEqual([400, 'license.validation_error'])
  })
})
