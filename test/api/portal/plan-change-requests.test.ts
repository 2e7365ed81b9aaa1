import { expect, test } from 'vitest'
import { migrations } from '../../../server/database/migrations/index.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { plannedEntitlements, valuesOf } from '../entitlements/planned-entitlements.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const { admin, made, newSet, newEntitlement, read, applyPlan, eventsOf } = plannedEntitlements(server)
  const at = (method: string, where: string, token: string, body?: object, headers: Record<string, string> = {}) =>
    server.api(method, `/api/v1/provision/consumer/me/${where}`, { token, body, headers })

  const newUser = async (...assignedTo: string[]): Promise<{ id: string; token: string }> => {
    const { id } = await admin.post('users', { email: `customer-${nextNumber()}@x.example` })
    for (const entitlementId of assignedTo) await admin.post(`entitlements/${entitlementId}/principals/${id}`)
    const { access_token: token } = await must(server.api('POST', `/api/v1/provision/operational/users/${id}/tokens`))
    return { id, token }
  }
  /** A customer on the plan Free, and how they ask for another. */
  async function newCustomer(planChangeApproval = 'Manual') {
    const { id } = await newEntitlement({ renewalPolicy: { planChangeApproval } })
    await must(applyPlan(id, 'Free'))
    const user = await newUser(id)
    const where = `entitlements/${id}/plan-change-requests`
    const ask = (planName: string, body: object = {}, headers: Record<string, string> = {}) =>
      at('POST', where, user.token, { planSetId: made.set.id, planName, ...body }, headers)
    return { id, user, where, ask }
  }
  const review = (id: string, step: 'approve' | 'reject', body: object = {}) =>
    admin.at('POST', `plan-change-requests/${id}/${step}`, body)
  const planned = async (id: string) => (await read(id)).assignedPlanName
  const typesOf = async (id: string) => ({
    applied: (await eventsOf(id, 'Entitlement.PlanApplied')).length,
    requested: (await eventsOf(id, 'Entitlement.PlanChangeRequested')).length,
    reviewed: (await eventsOf(id, 'Entitlement.PlanChangeReviewed')).length,
  })
  const named = (planName: string) => ({
    ...{ planSetId: made.set.id, planSetName: made.set.name, planName },
    planId: made.set.plans.find(({ name }: Json) => name === planName).id,
  })

  test('a request awaits its review, one at a time, and approving it applies the plan', async () => {
    const { id, user, where, ask } = await newCustomer()
    const asked = await must(ask('Pro', { note: 'We grew' }))
    expect(asked).toEqual({
      ...{ id: expect.any(String), entitlementId: id, userId: user.id, before: named('Free'), ...named('Pro') },
      ...{ note: 'We grew', status: 'Pending', reviewNote: null, reviewedBy: null, reviewedAt: null },
      createdAt: expect.any(String),
    })
    expect(await planned(id)).toBe('Free')
    expect(await typesOf(id)).toEqual({ applied: 1, requested: 1, reviewed: 0 })
    expect(problemOf(await ask('Suite'))).toEqual([409, 'license.plan_change_open'])
    const approved = await must(review(asked.id, 'approve', { note: 'Enjoy' }))
    expect(approved).toEqual({
      ...asked,
      ...{ status: 'Approved', reviewNote: 'Enjoy', reviewedAt: expect.any(String) },
      reviewedBy: `client:${server.clients.acme.clientId}`,
    })
    expect(valuesOf(await read(id))).toMatchObject({ SEATS: '25', SCRIPTS: 'true' })
    expect((await must(at('GET', where, user.token))).items).toEqual([approved])
    expect(await must(admin.at('GET', `plan-change-requests/${asked.id}`))).toEqual(approved)
    expect(await typesOf(id)).toEqual({ applied: 2, requested: 1, reviewed: 1 })
    const [requested] = await eventsOf(id, 'Entitlement.PlanChangeRequested')
    const [reviewed] = await eventsOf(id, 'Entitlement.PlanChangeReviewed')
    const told = { requestId: asked.id, before: named('Free'), after: named('Pro'), requestedBy: user.id }
    expect(requested).toMatchObject({ ...told, entitlementId: id, planName: 'Free' })
    expect(reviewed).toMatchObject({ ...told, planName: 'Pro', decision: 'Approved', isAutomatic: false })
    expect(JSON.stringify([requested, reviewed])).not.toMatch(/We grew|Enjoy/)
    expect((await must(admin.at('GET', `audit?filter=recordId==${asked.id}`))).items).toMatchObject([
      { operation: 'admin.planChangeRequests.approve', recordKind: 'planChangeRequests' },
      { operation: 'consumer.entitlements.planChangeRequests.create', recordKind: 'planChangeRequests', after: asked },
    ])
    for (const step of ['approve', 'reject'] as const)
      expect(problemOf(await review(asked.id, step))).toEqual([409, 'catalog.invalid_transition'])
  })

  test('where the renewal policy approves by itself the plan is applied at once, and once under one key', async () => {
    const { id, ask } = await newCustomer('Automatic')
    const key = { 'idempotency-key': 'upgrade' }
    const [first, again] = [await ask('Pro', {}, key), await ask('Pro', {}, key)]
    expect(first.body).toMatchObject({ status: 'Approved', reviewedBy: null, reviewedAt: expect.any(String) })
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
    expect(await must(admin.at('GET', `plan-change-requests/${first.body.id}`))).toEqual(first.body)
    expect(await planned(id)).toBe('Pro')
    expect(await typesOf(id)).toEqual({ applied: 2, requested: 0, reviewed: 1 })
    const [reviewed] = await eventsOf(id, 'Entitlement.PlanChangeReviewed')
    expect(reviewed).toMatchObject({
      decision: 'Approved',
      isAutomatic: true,
      requestId: first.body.id,
      planName: 'Pro',
    })
    expect((await ask('Suite')).status).toBe(200)
  })

  test('a rejected request leaves the plan as it is, and another may follow', async () => {
    const { id, ask } = await newCustomer()
    const asked = await must(ask('Pro'))
    const rejected = await must(review(asked.id, 'reject', { note: 'Not yet' }))
    expect(rejected).toMatchObject({ status: 'Rejected', reviewNote: 'Not yet' })
    expect(await eventsOf(id, 'Entitlement.PlanChangeReviewed')).toMatchObject([
      { decision: 'Rejected', planName: 'Free' },
    ])
    const once = await Promise.all([ask('Pro'), ask('Suite'), ask('Pro')])
    expect(once.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const open = once.find(({ status }) => status === 200)!.body
    const both = await Promise.all([review(open.id, 'approve'), review(open.id, 'reject')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('what can no longer be applied is not approved, and what is asked for a deleted entitlement is rejected', async () => {
    const cancelled = await newCustomer()
    const first = await must(cancelled.ask('Pro'))
    await must(admin.at('POST', `entitlements/${cancelled.id}/cancel`))
    expect(problemOf(await review(first.id, 'approve'))).toEqual([409, 'catalog.invalid_transition'])
    await must(review(first.id, 'reject'))
    expect(problemOf(await cancelled.ask('Pro'))).toEqual([409, 'catalog.invalid_transition'])
    const another = await newSet()
    const customer = await newCustomer()
    const second = await must(customer.ask('Pro', { planSetId: another.id }))
    await must(admin.at('POST', `usage-plans/plan-sets/${another.id}/retire`))
    expect(problemOf(await review(second.id, 'approve'))).toEqual([409, 'catalog.invalid_transition'])
    expect(await planned(customer.id)).toBe('Free')
    await must(admin.at('DELETE', `entitlements/${customer.id}`))
    expect(await must(admin.at('GET', `plan-change-requests/${second.id}`))).toMatchObject({ status: 'Rejected' })
    expect((await typesOf(customer.id)).reviewed).toBe(1)
  })

  test('a plan is one that the entitlement can change to', async () => {
    const { id, ask } = await newCustomer('Automatic')
    const draft = await newSet('Draft')
    const other = await admin.newProduct()
    const foreign = await admin.newPlanSet({ productId: other.id }, { plans: [{ name: 'Pro' }] })
    await must(admin.at('POST', `usage-plans/plan-sets/${foreign.id}/publish`))
    for (const [planName, body, pointer] of [
      ['Free', {}, '/planName'],
      ['pro', {}, '/planName'],
      ['Pro', { planSetId: draft.id }, '/planSetId'],
      ['Pro', { planSetId: foreign.id }, '/planSetId'],
      ['Pro', { planSetId: noSuchId }, '/planSetId'],
      ['Pro', { note: 'x'.repeat(2001) }, '/note'],
      ['Pro', { userId: noSuchId }, '/userId'],
    ] as const)
      expect(pointersOf(await ask(planName, body))).toEqual([400, 'license.validation_error', [pointer]])
    expect(await planned(id)).toBe('Free')
  })

  test('what is not theirs is answered to a user, and to a neighbour, as what there is not', async () => {
    const { id, user, where, ask } = await newCustomer()
    const asked = await must(ask('Pro'))
    const stranger = await newUser()
    const colleague = await newUser(id)
    const answers = [
      await at('GET', where, stranger.token),
      await at('POST', where, stranger.token, { planSetId: made.set.id, planName: 'Pro' }),
      await at('GET', `entitlements/${id}/plans`, stranger.token),
      await at('GET', `sessions/${noSuchId}/plans`, stranger.token),
      await at('GET', `entitlements/${noSuchId}/plans`, user.token),
    ]
    for (const answer of answers) expect(problemOf(answer)).toEqual([404, 'license.record_not_found'])
    expect((await must(at('GET', where, colleague.token))).items).toEqual([])
    expect((await at('GET', where, server.tokens.acme)).status).toBe(401)
    const neighbour = { tenant: 'neighbour' } as const
    const path = `/api/v1/provision/admin/plan-change-requests`
    expect((await must(server.api('GET', path, neighbour))).items).toEqual([])
    for (const step of ['approve', 'reject'])
      expect(problemOf(await server.api('POST', `${path}/${asked.id}/${step}`, neighbour))).toEqual([
        ...[404, 'license.record_not_found'],
      ])
    const token = await server.tokenWith(['admin.plan-change-requests:read'])
    expect((await server.api('POST', `${path}/${asked.id}/approve`, { token })).status).toBe(403)
    expect((await server.api('GET', `${path}/${asked.id}`, { token })).status).toBe(200)
  })

  test('requests are filtered and sorted by each of their fields', async () => {
    const { user, ask, where } = await newCustomer()
    const asked = await must(ask('Pro', { note: 'Please' }))
    const { before: _before, ...fields } = await must(review(asked.id, 'reject', { note: 'No' }))
    for (const [field, value] of Object.entries(fields)) {
      const filter = encodeURIComponent(
        `${field}==${String(value).replaceAll(/[,|\\()=!<>@_*-]/g, '\\$&')},id==${asked.id}`,
      )
      const query = `?filter=${filter}&sortOrder=-${field}`
      expect([field, (await must(admin.at('GET', `plan-change-requests${query}`))).totalCount]).toEqual([field, 1])
    }
    expect((await must(at('GET', `${where}?filter=status==Pending`, user.token))).items).toEqual([])
  })

  test('a request that an earlier version left Requested is Pending after the update, and still the only one', async () => {
    const { ask } = await newCustomer()
    const asked = await must(ask('Pro'))
    const database = openDatabase(server.databaseUrl)
    const ofIt = database.read.selectFrom('plan_change_requests').selectAll().where('id', '=', asked.id)
    const row = await ofIt.executeTakeFirstOrThrow()
    await database.transact(async (tx) => {
      const former = tx.updateTable('plan_change_requests').set({ status: 'Requested' as 'Pending' })
      await former.where('id', '=', asked.id).execute()
    })
    await migrations['0011-pending-plan-changes']!.up(database.schema)
    expect((await ofIt.executeTakeFirstOrThrow()).status).toBe('Pending')
    const another = { ...row, id: noSuchId }
    const second = database.transact((tx) => tx.insertInto('plan_change_requests').values(another).execute())
    await expect(second).rejects.toThrow(/unique/i)
    await database.close()
    expect(await must(review(asked.id, 'approve'))).toMatchObject({ status: 'Approved' })
  })

  test('the plans behind an entitlement, or a session of it, are its own and those of its suite that are sold', async () => {
    const { id, user } = await newCustomer()
    const body = { useInteractiveUser: true, fingerprint: 'a device' }
    const licence = await must(server.api('POST', '/api/v1/provision/activations/license', { token: user.token, body }))
    const answer = await must(at('GET', `entitlements/${id}/plans?pageSize=100`, user.token))
    expect(answer).toMatchObject({ pageNumber: 1, pageSize: 100, totalPages: 1 })
    expect(answer.items[0]).toMatchObject({ planSetId: made.set.id, name: 'Free', isCurrent: true, isSold: true })
    expect(answer.items[0].products).toMatchObject([
      { productId: made.cad.id, included: true, features: [{}, {}, { featureCode: 'SEATS', value: '1' }] },
    ])
    const ofSet = answer.items.filter(({ planSetId }: Json) => planSetId === made.set.id)
    expect(ofSet.map(({ name }: Json) => name).sort()).toEqual(['Free', 'Pro', 'Suite'])
    expect(JSON.stringify(answer)).not.toContain('relativeWeight')
    const ofSession = await must(at('GET', `sessions/${licence.session.id}/plans?pageSize=1`, user.token))
    expect(ofSession.items).toEqual([answer.items[0]])
    expect(ofSession).toMatchObject({ totalCount: answer.totalCount, hasNextPage: true })
    expect(pointersOf(await at('GET', `entitlements/${id}/plans?pageNumber=0`, user.token))).toEqual([
      ...[400, 'license.validation_error', ['pageNumber']],
    ])
    const { products: _products, ...fields } = ofSession.items[0]
    for (const [field, value] of Object.entries(fields)) {
      const filter = encodeURIComponent(`${field}==${value},id==${fields.id}`)
      const query = `filter=${filter}&sortOrder=-${field}`
      expect([field, (await must(at('GET', `entitlements/${id}/plans?${query}`, user.token))).items]).toEqual([
        ...[field, ofSession.items],
      ])
    }
    const query = `filter=isCurrent==false,planSetId==${made.set.id},name@=*S|pro&sortOrder=-name&pageSize=1`
    const page = (pageNumber: number) =>
      must(at('GET', `entitlements/${id}/plans?${query}&pageNumber=${pageNumber}`, user.token))
    expect(await page(1)).toMatchObject({ items: [{ name: 'Suite' }], totalCount: 2, hasNextPage: true })
    expect(await page(2)).toMatchObject({ items: [{ name: 'Pro' }], totalCount: 2, hasNextPage: false })
    for (const wrong of ['filter=lineItems==1', 'filter=place==1', 'sortOrder=products', 'bogus=1'])
      expect(problemOf(await at('GET', `entitlements/${id}/plans?${wrong}`, user.token))).toEqual([
        ...[400, 'license.validation_error'],
      ])
    const unplanned = await newEntitlement()
    const other = await newUser(unplanned.id)
    const { items } = await must(at('GET', `entitlements/${unplanned.id}/plans?pageSize=100`, other.token))
    expect(items.filter(({ planSetId }: Json) => planSetId === made.set.id)).toHaveLength(3)
    expect(items.some(({ isCurrent }: Json) => isCurrent)).toBe(false)
    expect(problemOf(await at('GET', `sessions/${licence.session.id}/plans`, other.token))).toEqual([
      ...[404, 'license.record_not_found'],
    ])
  })
})
