import { expect, test } from 'vitest'
import { itemContracts } from '../../../server/feedback/items/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'

type Json = ReturnType<typeof JSON.parse>
interface Review {
  note?: string
  duplicateOfId?: string
}

const own = 'consumer/me/feedback'
const notFound = [404, 'license.record_not_found']

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)
  const { at, get, post, newEntitlement, newCode, newDevice } = devicesOf(server)

  const say = (token: string, more: object = {}, headers: Record<string, string> = {}) =>
    at('POST', own, { token, headers, body: { kind: 'ProblemReport', text: 'It hangs on export.', ...more } })
  const listOwn = (token: string, query = ''): Promise<Json> => must(at('GET', `${own}${query}`, { token }))
  const review = (id: string, how: 'accept' | 'decline', body: Review = {}) =>
    at('POST', `admin/feedback/${id}/${how}`, { body })

  async function newUser() {
    const user = await post('admin/users', { email: `ada${nextNumber()}@x.example` })
    const { access_token: token } = await post(`operational/users/${user.id}/tokens`)
    return { user, token: token as string }
  }
  async function newLicense(more: object = {}): Promise<Json> {
    const { id } = await newEntitlement()
    return newDevice((await newCode(id)).activationCode, undefined, more)
  }
  /** Items of one user, as many as are asked for. */
  async function newItems(count: number): Promise<Json[]> {
    const { token } = await newUser()
    const items = []
    for (let n = 0; n < count; n++) items.push(await must(say(token)))
    return items
  }
  async function newItemOfNeighbour(): Promise<Json> {
    const tenant = 'neighbour'
    const user = await must(at('POST', 'admin/users', { tenant, body: { email: 'bob@x.example' } }))
    const { access_token: token } = await must(at('POST', `operational/users/${user.id}/tokens`, { tenant }))
    return must(at('POST', own, { tenant, token, body: { kind: 'GeneralComment', text: 'Fine.' } }))
  }
  const eventsOf = async (id: string) => {
    const events = beside.open.read.selectFrom('events').selectAll().where('entity_id', '=', id).orderBy('id')
    return (await events.execute()).map(({ type, entity_kind, data }) => ({
      type,
      entity_kind,
      data: JSON.parse(data),
    }))
  }

  test('a user gives feedback, and sees the note of who accepts it', async () => {
    const { user, token } = await newUser()
    const product = await post('admin/products', { productCode: `CAD-${nextNumber()}`, name: 'CAD' })
    const said = { kind: 'FeatureRequest', text: 'Export to STEP.', productId: product.id, featureCode: 'EXPORT_STEP' }
    const given = await must(say(token, said))
    expect(given).toEqual({
      ...said,
      id: expect.any(String),
      userId: user.id,
      sessionId: null,
      deviceName: null,
      replyTo: user.email,
      status: 'New',
      reviewedBy: null,
      reviewedAt: null,
      note: null,
      duplicateOfId: null,
      createdAt: expect.any(String),
    })
    expect((await listOwn(token)).items).toEqual([given])
    expect(await get(`admin/feedback/${given.id}`)).toEqual(given)

    const accepted = await must(review(given.id, 'accept', { note: 'In 2.1.' }))
    const by = `client:${server.clients.acme.clientId}`
    expect(accepted).toEqual({
      ...given,
      status: 'Accepted',
      note: 'In 2.1.',
      reviewedBy: by,
      reviewedAt: accepted.reviewedAt,
    })
    expect(Date.parse(accepted.reviewedAt)).toBeGreaterThanOrEqual(Date.parse(given.createdAt))
    expect((await listOwn(token)).items).toEqual([accepted])

    const { kind, productId, featureCode } = said
    const told = { feedbackId: given.id, kind, productId, featureCode, userId: user.id, sessionId: null }
    expect(await eventsOf(given.id)).toEqual([
      { type: 'Feedback.Submitted', entity_kind: 'feedback', data: { ...told, status: 'New' } },
      {
        type: 'Feedback.Reviewed',
        entity_kind: 'feedback',
        data: { ...told, status: 'Accepted', reviewedBy: by, duplicateOfId: null },
      },
    ])
  })

  test('a device on which nobody is signed in gives feedback too, until its session may not be used', async () => {
    const bare = await newLicense({ deviceName: 'CAD-7' })
    expect(await must(say(bare.token))).toMatchObject({
      ...{ userId: null, sessionId: bare.session.id, deviceName: 'CAD-7', replyTo: null },
    })
    const addressed = await newLicense({ email: 'it@x.example' })
    expect(await must(say(addressed.token))).toMatchObject({ replyTo: 'it@x.example' })
    expect(await must(say(addressed.token, { replyTo: '' }))).toMatchObject({ replyTo: null })
    expect(await must(say(addressed.token, { replyTo: 'me@x.example' }))).toMatchObject({ replyTo: 'me@x.example' })

    expect((await listOwn(bare.token)).totalCount).toBe(1)
    expect((await listOwn(addressed.token)).totalCount).toBe(3)
    await post(`admin/sessions/activations/${bare.session.id}/revoke`)
    for (const answer of [await say(bare.token), await at('GET', own, { token: bare.token })])
      expect(problemOf(answer)).toEqual([403, 'license.session_not_valid'])
  })

  test('a user sees their own of every session and without one; others see none of it', async () => {
    const [{ user, token }, other] = [await newUser(), await newUser()]
    const entitlement = await newEntitlement()
    await post(`admin/entitlements/${entitlement.id}/principals/${user.id}`)
    const body = { useInteractiveUser: true, fingerprint: 'workstation' }
    const license = await must(at('POST', 'activations/license', { token, body }))
    const inSession = await must(say(license.token))
    expect(inSession).toMatchObject({ userId: user.id, sessionId: license.session.id, replyTo: user.email })
    const without = await must(say(token))
    expect((await listOwn(token)).items).toEqual([inSession, without])
    expect((await listOwn(license.token)).items).toEqual([inSession])
    expect((await listOwn(other.token)).items).toEqual([])
    expect((await listOwn((await newLicense()).token)).items).toEqual([])

    for (const wrong of [null, server.tokens.acme]) expect((await at('GET', own, { token: wrong })).status).toBe(401)
    for (const wrong of [null, server.tokens.acme, token])
      expect((await at('GET', own, { token: wrong, tenant: 'neighbour' })).status).toBe(401)
    expect((await at('GET', 'admin/feedback', { token })).status).toBe(401)
  })

  test('a device that passes from one user to another tells neither what the other said, nor whom to answer', async () => {
    const { id } = await newEntitlement()
    const code = await newCode(id, { email: 'buyer@corp.example' })
    const fingerprint = `shared ${nextNumber()}`
    const activate = (token?: string) =>
      must(
        at('POST', 'activations/license', {
          token: token ?? null,
          body: { activationCode: code.activationCode, fingerprint, useInteractiveUser: token !== undefined },
        }),
      )
    const [ada, bob] = [await newUser(), await newUser()]
    const bare = await activate()
    expect(bare.session.email).toBe('buyer@corp.example')
    const ofNobody = await must(say(bare.token))
    const sessions = [await activate(ada.token)]
    const ofAda = await must(say(sessions[0].token, { text: 'Mine.' }))
    expect((await listOwn(sessions[0].token)).items).toEqual([ofNobody, ofAda])
    sessions.push(await activate(bob.token))
    const ofBob = await must(say(sessions[1].token))
    expect(sessions.map(({ session }) => [session.id, session.userId, session.email])).toEqual(
      [ada, bob].map(({ user }) => [bare.session.id, user.id, user.email]),
    )
    expect([ofAda, ofBob].map(({ userId, replyTo }) => [userId, replyTo])).toEqual(
      [ada, bob].map(({ user }) => [user.id, user.email]),
    )
    expect((await listOwn(sessions[1].token)).items).toEqual([ofNobody, ofBob])
    expect((await listOwn(ada.token)).items).toEqual([ofAda])
    // Nor where the device says an address of its own, which is not the user's.
    await must(
      at('POST', 'activations/license', {
        token: null,
        body: { activationCode: code.activationCode, fingerprint, email: 'it@corp.example' },
      }),
    )
    expect((await must(say(sessions[1].token))).replyTo).toBe(bob.user.email)
  })

  test('feedback that is not as it should be is refused, and none is kept', async () => {
    const { token } = await newUser()
    const theirs = { productCode: `CAD-${nextNumber()}`, name: 'CAD' }
    const product = await must(at('POST', 'admin/products', { tenant: 'neighbour', body: theirs }))
    for (const [pointer, value] of [
      ['kind', 'Praise'],
      ['text', ''],
      ['text', 'x'.repeat(10_001)],
      ['productId', noSuchId],
      ['productId', product.id],
      ['featureCode', 'x'.repeat(201)],
      ['replyTo', 'Ada <ada@x.example>'],
      ['userId', noSuchId],
    ] as const) {
      const refused = { status: 400, body: { errors: [{ pointer: `/${pointer}` }] } }
      expect(await say(token, { [pointer]: value })).toMatchObject(refused)
    }
    expect((await listOwn(token)).totalCount).toBe(0)
    for (const body of [{ kind: 'Praise' }, '{'])
      expect(problemOf(await at('POST', own, { token: null, body }))).toEqual([401, 'auth.unauthenticated'])
  })

  test("an item is decided on once, and only among one's own tenant's", async () => {
    const [item, other] = await newItems(2)
    expect(await must(review(item.id, 'decline', { note: '' }))).toMatchObject({ status: 'Declined', note: null })
    for (const answer of [
      await review(item.id, 'accept'),
      await review(item.id, 'decline', { duplicateOfId: other.id }),
    ])
      expect(problemOf(answer)).toEqual([409, 'feedback.already_reviewed'])

    const reviews = await Promise.all([
      review(other.id, 'accept'),
      review(other.id, 'decline'),
      review(other.id, 'accept'),
    ])
    expect(reviews.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await eventsOf(other.id)).map(({ type }) => type)).toEqual(['Feedback.Submitted', 'Feedback.Reviewed'])

    for (const [tenant, id] of [
      ['neighbour', item.id],
      ['acme', noSuchId],
      ['acme', 'none'],
    ] as const) {
      expect(problemOf(await at('GET', `admin/feedback/${id}`, { tenant }))).toEqual(notFound)
      for (const how of ['accept', 'decline'])
        expect(problemOf(await at('POST', `admin/feedback/${id}/${how}`, { tenant, body: {} }))).toEqual(notFound)
    }
    const reader = await server.tokenWith(['admin.feedback:read'])
    await must(at('GET', 'admin/feedback', { token: reader }))
    expect((await at('POST', `admin/feedback/${other.id}/accept`, { token: reader })).status).toBe(403)
  })

  test('an item is marked as a duplicate of an original, and what was a duplicate of it follows', async () => {
    const [first, second, third, unrelated] = await newItems(4)
    const mark = (item: Json, original: Json) =>
      review(item.id, 'decline', { duplicateOfId: original.id.toUpperCase() })
    expect(problemOf(await mark(first, first))).toEqual([409, 'feedback.not_an_original'])
    expect(problemOf(await mark(first, { id: noSuchId }))).toEqual(notFound)
    expect(problemOf(await mark(first, await newItemOfNeighbour()))).toEqual(notFound)
    expect(await get(`admin/feedback/${first.id}`)).toEqual(first)

    expect(await must(mark(first, second))).toMatchObject({ status: 'Duplicate', duplicateOfId: second.id })
    expect(problemOf(await mark(third, first))).toEqual([409, 'feedback.not_an_original'])
    await must(mark(second, third))
    for (const { id } of [first, second])
      expect(await get(`admin/feedback/${id}`)).toMatchObject({ status: 'Duplicate', duplicateOfId: third.id })
    for (const { id } of [third, unrelated])
      expect(await get(`admin/feedback/${id}`)).toMatchObject({ status: 'New', duplicateOfId: null })
    expect((await eventsOf(second.id))[1]?.data).toMatchObject({ status: 'Duplicate', duplicateOfId: third.id })
  })

  test('of two items that are marked as duplicates of each other at the same moment one stays the original', async () => {
    const items = await newItems(8)
    const mark = (item: Json, original: Json) => review(item.id, 'decline', { duplicateOfId: original.id })
    const marks = items.map((item, at) => mark(item, items[at % 2 === 0 ? at + 1 : at - 1]))
    const statuses = (await Promise.all(marks)).map(({ status }) => status)
    for (let at = 0; at < items.length; at += 2) expect(statuses.slice(at, at + 2).sort()).toEqual([200, 409])
  })

  test('what is said twice under one key is one item, and a review is replayed', async () => {
    const [{ token }, license] = [await newUser(), await newLicense()]
    for (const one of [token, license.token]) {
      const headers = { 'idempotency-key': 'once' }
      const [given, again] = [await say(one, {}, headers), await say(one, {}, headers)]
      expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([given.body, 'true'])
      expect((await listOwn(one)).totalCount).toBe(1)
      const accept = () =>
        at('POST', `admin/feedback/${given.body.id}/accept`, { headers: { 'idempotency-key': given.body.id } })
      expect((await must(accept())).status).toBe('Accepted')
      expect((await accept()).headers.get('idempotency-replayed')).toBe('true')
      expect(await eventsOf(given.body.id)).toHaveLength(2)
    }
  })

  test('the items are listed in pages, filtered and sorted by every field', async () => {
    const { token } = await newUser()
    const given = []
    for (const text of ['one', 'two', 'three'])
      given.push(await must(say(token, { text, featureCode: `F${nextNumber()}` })))
    const item = await must(review(given[1].id, 'accept', { note: 'Noted' }))
    const page = await listOwn(token, '?pageSize=2&sortOrder=-createdAt')
    expect(page).toMatchObject({ totalCount: 3, totalPages: 2, hasNextPage: true })
    expect(page.items.map(({ text }: Json) => text)).toEqual(['three', 'two'])
    expect(Object.keys(item).sort()).toEqual([...itemContracts.list.filterable].sort())
    for (const [field, value] of Object.entries(item)) {
      const query = `?filter=${encodeURIComponent(`${field}==${value},id==${item.id}`)}&sortOrder=-${field}`
      expect([field, (await get(`admin/feedback${query}`)).items]).toEqual([field, [item]])
      expect([field, (await listOwn(token, query)).items]).toEqual([field, [item]])
    }
    expect((await get('admin/feedback?filter=status==New')).items).not.toContainEqual(item)
    expect(problemOf(await at('GET', 'admin/feedback?filter=tenantId==x'))).toEqual([400, 'license.validation_error'])
  })
})
