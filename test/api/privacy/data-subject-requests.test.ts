import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { enlarge } from '../../support/large-file.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { metersOf } from '../metering/metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  // What may be very much is looked for on another thread then.
  beforeAll(() => (store.kind === 'sqlite' ? enlarge(server.databaseUrl) : undefined))
  const meters = metersOf(server, 'sandbox')
  const { devices } = meters

  const requests = 'admin/data-subject-requests'
  const mine = (token: string, method = 'GET', below = '', body?: object) =>
    devices.at(method, `consumer/me/data-subject-requests${below}`, { token, ...(body ? { body } : {}) })
  const file = (token: string, body: object): Promise<Json> => must(mine(token, 'POST', '', body))
  const decide = (id: string, step: string, body: object = {}): Promise<Json> =>
    devices.post(`${requests}/${id}/${step}`, body)
  const signIn = async (id: string): Promise<string> =>
    (await devices.post(`operational/users/${id}/tokens`)).access_token
  const newUser = async (body: object = {}) => {
    const { id } = await devices.post('admin/users', { email: `subject${nextNumber()}@x.example`, ...body })
    return { id: id as string, token: await signIn(id) }
  }

  /** Every table with every row, each as JSON. */
  async function dump(): Promise<string[]> {
    const database = openDatabase(server.databaseUrl)
    try {
      const names =
        store.kind === 'sqlite'
          ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
          : sql<{
              name: string
            }>`select table_name as name from information_schema.tables where table_schema = 'public'`
      const tables: string[] = []
      for (const { name } of (await names.execute(database.read)).rows)
        tables.push(JSON.stringify([name, (await sql`select * from ${sql.table(name)}`.execute(database.read)).rows]))
      return tables
    } finally {
      await database.close()
    }
  }
  const eventsOf = async (entityId: string): Promise<Json[]> => {
    const database = openDatabase(server.databaseUrl)
    try {
      const rows = await database.read.selectFrom('events').selectAll().where('entity_id', '=', entityId).execute()
      return rows.map(({ type, data }) => [type, JSON.parse(data)])
    } finally {
      await database.close()
    }
  }

  /** What somebody leaves in every room of a tenant; each word of it is, or holds, their name. */
  async function leaveTraces(name: string) {
    const email = `${name}@x.example`
    const earlier = await newUser({ email, displayName: `Young ${name}` })
    await must(devices.at('DELETE', `admin/users/${earlier.id}`))
    const formerEmail = `former.${email}`
    const user = await newUser({ email: formerEmail, emailVerified: true, metadata: `meta of ${name}` })
    await devices.post('admin/customers', { name: `Firm ${nextNumber()}`, email: formerEmail })
    const again = { headers: { 'idempotency-key': `user ${nextNumber()}` } }
    const patchUser = () =>
      devices.at('PATCH', `admin/users/${user.id}`, {
        ...{ ...again, body: { email, emailVerified: true, displayName: name } },
      })
    await must(patchUser())
    const group = await devices.post('admin/organization-groups', { name: `Group ${nextNumber()}` })
    await must(devices.at('POST', `admin/organization-groups/${group.id}/members/${user.id}`))
    const { id: customerId } = await devices.post('admin/customers', { name: `Firm ${nextNumber()}`, email })
    const entitlement = await meters.newEntitlement(
      { exports: {} },
      {
        customerId,
        customerContactEmail: email,
        licensePolicy: { maxDeviceActivations: 3, componentMatchingStrategy: 'MatchAny' },
      },
    )
    await devices.patch(`admin/entitlements/${entitlement.id}`, { customerContactName: `Contact ${name}` })
    await devices.post(`admin/entitlements/${entitlement.id}/principals/${user.id}`)
    await devices.patch(`admin/users/${user.id}`, { displayName: `Doctor ${name}` })
    const { activationCode } = await devices.newCode(entitlement.id, { email: email.toUpperCase() })
    const named = { preAuthorizedDevices: [`tower of ${name}`], fingerprint: `tablet of ${name}` }
    const ownCode = await devices.newCode(entitlement.id, { requiredUserId: user.id, ...named })
    const device = { deviceName: `laptop of ${name}`, components: { UserName: `login of ${name}` } }
    const license = await must(
      devices.at('POST', 'activations/license', {
        ...{ token: user.token, headers: { 'idempotency-key': `first ${nextNumber()}` } },
        body: { useInteractiveUser: true, fingerprint: `machine of ${name}`, ...device },
      }),
    )
    const mailed = await devices.newDevice(activationCode, `other machine of ${name}`, device)
    const known = { components: { MacAddress: `address of ${name}` } }
    await devices.newDevice(activationCode, `former machine of ${name}`, known)
    const lost = await devices.newDevice(activationCode, `lost machine of ${name}`, known)
    await devices.post(`admin/sessions/${lost.session.id}/revoke`, { reason: `lost by ${name}`, blockDevice: true })
    const colleague = await newUser()
    const other = await must(
      devices.at('POST', 'activations/license', {
        token: colleague.token,
        body: { activationCode, useInteractiveUser: true, fingerprint: `other ${nextNumber()}`, email },
      }),
    )
    await meters.consume(license, 'exports', 3, `job of ${name}`)
    const record = (transactionId: number, eventName: string, data: object) => ({
      ...{ transactionId, eventName, eventData: JSON.stringify(data) },
    })
    const occurredAt = (await devices.get('admin/test-clock')).now
    const used = { metricName: 'exports', amount: 4, occurredAt, attributes: { file: `plans of ${name}` } }
    const uploaded = await must(
      meters.runtime('POST', `sessions/${license.session.id}/transactions`, license.token, {
        body: [
          record(1, 'UsageReported', used),
          record(2, 'FeatureUsed', { featureCode: 'EXPORTS', occurredAt, by: `login of ${name}` }),
          record(3, `Crashed for ${name}`, { stack: `plans of ${name}` }),
        ],
      }),
    )
    expect(uploaded.processed).toBe(3)
    for (const token of [user.token, license.token, mailed.token]) {
      const body = { kind: 'ProblemReport', text: `text of ${name}`, replyTo: email }
      const { id } = await must(devices.at('POST', 'consumer/me/feedback', { token, body }))
      await devices.post(`admin/feedback/${id}/accept`, { note: `Thanks, ${name}` })
    }
    const productId = entitlement.products[0].id
    const featureId = '00000000-0000-0000-0000-000000000000'
    await must(
      devices.at('POST', 'consumer/me/rating', {
        ...{
          token: user.token,
          body: { sessionId: license.session.id, productId, featureId, rating: 4, remark: `remark of ${name}` },
        },
      }),
    )
    await must(devices.at('POST', 'registrations', { token: null, body: { email, displayName: name } }))
    return { user, patchUser, entitlement, license, mailed, other, activationCode, ownCode }
  }

  test('a request is filed, approved or rejected, completed, and each step told, without what was said', async () => {
    const { id: userId, token } = await newUser()
    const filed = await file(token, { kind: 'Rectification', note: 'My name is Ada.' })
    expect(filed).toEqual({
      ...{ id: expect.any(String), userId, kind: 'Rectification', note: 'My name is Ada.', status: 'Filed' },
      ...{ reviewNote: null, reviewedBy: null, reviewedAt: null, completedAt: null, createdAt: expect.any(String) },
    })
    expect((await must(mine(token))).items).toEqual([filed])
    expect((await devices.get(`${requests}?filter=userId==${userId},kind==Rectification`)).items).toEqual([filed])
    const unread = `userId==${userId},note@=Ada,reviewNote==null,reviewedBy==null`
    expect((await devices.get(`${requests}?filter=${unread}&sortOrder=reviewedBy`)).items).toEqual([filed])
    const complete = () => devices.at('POST', `${requests}/${filed.id}/complete`)
    expect(problemOf(await complete())).toEqual([409, 'catalog.invalid_transition'])
    const approved = await decide(filed.id, 'approve', { note: 'We do it.' })
    expect(approved).toMatchObject({
      status: 'Approved',
      reviewNote: 'We do it.',
      reviewedBy: expect.stringMatching(/^client:/),
    })
    for (const step of ['approve', 'reject'])
      expect(problemOf(await devices.at('POST', `${requests}/${filed.id}/${step}`))[0]).toBe(409)
    const completed = await must(complete())
    expect(completed).toEqual({ ...approved, status: 'Completed', completedAt: expect.any(String) })
    expect(await devices.get(`${requests}/${filed.id}`)).toEqual(completed)
    expect((await must(mine(token))).items).toEqual([completed])
    const data = { requestId: filed.id, kind: 'Rectification', userId }
    expect(await eventsOf(filed.id)).toEqual(
      ['Filed', 'Approved', 'Completed'].map((status) => [`DataSubjectRequest.${status}`, { ...data, status }]),
    )
    const other = await file(token, { kind: 'Erasure' })
    expect(await decide(other.id, 'reject')).toMatchObject({ status: 'Rejected', completedAt: null })
    expect((await eventsOf(other.id)).at(-1)![0]).toBe('DataSubjectRequest.Rejected')
    expect(await eventsOf(userId)).toEqual([])
  })

  test("nobody sees or decides on what is another's, and only a request for access that was approved has data", async () => {
    const [one, another] = [await newUser(), await newUser()]
    const [access, erasure] = [await file(one.token, { kind: 'Access' }), await file(one.token, { kind: 'Erasure' })]
    await decide(erasure.id, 'approve')
    for (const { id } of [access, erasure]) {
      expect(problemOf(await mine(one.token, 'GET', `/${id}/data`))).toEqual([409, 'catalog.invalid_transition'])
      expect(problemOf(await devices.at('GET', `${requests}/${id}/data`))).toEqual([409, 'catalog.invalid_transition'])
    }
    await decide(access.id, 'approve')
    for (const id of [access.id, noSuchId])
      expect(problemOf(await mine(another.token, 'GET', `/${id}/data`))).toEqual([404, 'license.record_not_found'])
    expect((await must(mine(another.token))).totalCount).toBe(0)
    const neighbours = [
      await server.api('GET', `/api/v1/provision/${requests}/${access.id}`),
      await server.api('GET', `/api/v1/provision/${requests}/${access.id}/data`),
      await server.api('POST', `/api/v1/provision/${requests}/${erasure.id}/complete`),
    ]
    for (const answer of neighbours) expect(problemOf(answer)).toEqual([404, 'license.record_not_found'])
    const reader = await server.tokenWith(['admin.data-subject-requests:read'], 'sandbox')
    const asked = await devices.at('POST', `${requests}/${erasure.id}/complete`, { token: reader })
    expect(problemOf(asked)).toEqual([403, 'auth.insufficient_scope'])
    expect((await mine(server.tokens.sandbox)).status).toBe(401)
    for (const body of [{}, { kind: 'access' }, { kind: 'Access', userId: one.id }])
      expect(problemOf(await mine(one.token, 'POST', '', body))).toEqual([400, 'license.validation_error'])
  })

  test('access is one document of all that is kept, to the user and the vendor alike, and of nobody else', async () => {
    const name = `Quux${nextNumber()}`
    const email = `${name}@x.example`
    const { user, entitlement, license, mailed, other } = await leaveTraces(name)
    const { id } = await file(user.token, { kind: 'Access', note: 'Everything, please.' })
    await decide(id, 'approve')
    const { generatedAt: _generatedAt, ...document } = await must(mine(user.token, 'GET', `/${id}/data`))
    expect(document).toMatchObject({
      users: [
        { id: user.id, email, emailVerified: true, displayName: `Doctor ${name}` },
        { displayName: `Young ${name}`, isDeleted: true },
      ],
      organizationGroups: [{ id: expect.any(String) }],
      entitlements: [{ id: entitlement.id, name: entitlement.name }],
      entitlementContacts: [
        { id: entitlement.id, customerContactEmail: email, customerContactName: `Contact ${name}` },
      ],
      customers: [{ email: `former.${email}` }, { email }],
      activationCodes: [
        { entitlementId: entitlement.id, email: email.toUpperCase() },
        { requiredUserId: user.id, preAuthorizedDevices: [`tower of ${name}`], fingerprint: `tablet of ${name}` },
      ],
      sessions: [
        {
          id: license.session.id,
          deviceName: `laptop of ${name}`,
          holdsSeat: true,
          licensedProducts: [expect.any(String)],
        },
        { id: mailed.session.id, components: { UserName: `login of ${name}` } },
        {
          ...{ fingerprint: `lost machine of ${name}`, isRevoked: true },
          formerFingerprints: [`former machine of ${name}`],
        },
      ],
      blockedDevices: ['lost', 'former'].map((word) => ({
        ...{ fingerprint: `${word} machine of ${name}`, reason: `lost by ${name}` },
      })),
      registrations: [{ email, displayName: name }],
      feedback: Array(3).fill({ text: `text of ${name}`, replyTo: email, note: `Thanks, ${name}` }),
      ratings: [{ rating: 4, remark: `remark of ${name}` }],
      usageTransactions: [{}, { eventData: { featureCode: 'EXPORTS' } }, { eventName: `Crashed for ${name}` }],
      dataSubjectRequests: [{ id, note: 'Everything, please.' }],
    })
    const audited = document.audit.map((entry: Json) => [entry.operation, entry.after?.['/note']])
    expect(audited).toContainEqual(['admin.feedback.accept', `Thanks, ${name}`])
    const sold = document.audit.find((entry: Json) => entry.operation === 'admin.entitlements.create')
    expect([sold.recordId, sold.after]).toEqual([entitlement.id, { customerContactEmail: email }])
    expect(JSON.stringify(document)).not.toMatch(/sealed|lookup|hash|tenantId|"activationCode"|":"[{[]/i)
    expect(JSON.stringify(document)).not.toContain(other.session.id)
    const seen = await devices.get(`${requests}/${id}/data`)
    expect(seen).toMatchObject({ users: document.users, sessions: document.sessions, feedback: document.feedback })
  })

  test('after an erasure no table has a word of the person, their seats are free, and totals are as before', async () => {
    const [name, neighbour] = [`Zebulon${nextNumber()}`, `Mathilda${nextNumber()}`]
    const { user, patchUser, entitlement, license, mailed, other, activationCode, ownCode } = await leaveTraces(name)
    await leaveTraces(neighbour)
    const tablesNaming = async (word: string) =>
      (await dump()).filter((table) => table.toLowerCase().includes(word.toLowerCase()))
    const access = await file(user.token, { kind: 'Access', note: `text of ${name}` })
    const erasure = await file(user.token, { kind: 'Erasure', note: `text of ${name}` })
    const waiting = await file(user.token, { kind: 'Rectification', note: `text of ${name}` })
    await decide(access.id, 'approve', { note: `text of ${name}` })
    await decide(erasure.id, 'approve', { note: `text of ${name}` })
    expect((await tablesNaming(name)).length).toBeGreaterThan(9)
    const ofNeighbour = await tablesNaming(neighbour)
    const usageNow = async () => (await devices.get(`operational/entitlements/${entitlement.id}/usage`)).meters
    const usage = await usageNow()
    expect(problemOf(await devices.activate(activationCode, 'late'))).toEqual([409, 'license.seats_exhausted'])
    expect(usage[0].usage.usage).toBe(7)
    const [once, twice] = await Promise.all(
      [0, 1].map(() =>
        devices.at('POST', `${requests}/${erasure.id}/complete`, { body: { note: `Farewell, ${name}` } }),
      ),
    )
    expect([once!.status, twice!.status].sort()).toEqual([200, 409])
    expect(await tablesNaming(name)).toEqual([])
    expect((await tablesNaming(neighbour)).length).toBe(ofNeighbour.length)
    expect(await usageNow()).toEqual(usage)
    expect(await eventsOf(user.id)).toEqual([['User.Erased', { userId: user.id, requestId: erasure.id }]])
    expect((await mine(user.token)).status).toBe(401)
    expect(problemOf(await devices.at('GET', `admin/users/${user.id}`))[0]).toBe(404)
    expect(problemOf(await devices.at('GET', `${requests}/${access.id}/data`))[0]).toBe(404)
    expect((await devices.get(`${requests}/${waiting.id}`)).status).toBe('Rejected')
    expect(await eventsOf(waiting.id)).toHaveLength(2)
    for (const ended of [license, mailed])
      expect(problemOf(await devices.say('check-in', ended))).toEqual([403, 'license.session_not_valid'])
    expect(problemOf(await patchUser())).toEqual([409, 'request.idempotency_conflict'])
    expect(problemOf(await devices.activate(ownCode.activationCode, 'anyone'))).toEqual([404, 'license.not_found'])
    expect((await devices.say('check-in', other)).status).toBe(200)
    await devices.newDevice(activationCode)
    expect((await devices.get(`admin/entitlements/${entitlement.id}/principals`)).totalCount).toBe(0)
    await newUser({ email: `${name}@x.example` })
  })

  test('nobody else is erased whose address holds theirs, or is theirs without having been verified', async () => {
    const name = `ann${nextNumber()}`
    const auditOf = async (id: string): Promise<Json> =>
      (await devices.get(`admin/audit?filter=recordId==${id}`)).items.at(-1).after
    const erase = async (token: string) => {
      const { id } = await file(token, { kind: 'Erasure' })
      await decide(id, 'approve')
      await decide(id, 'complete')
    }
    const others = [`jo${name}@x.co`, `${name}@x.com`]
    const ids: string[] = []
    for (const email of others) ids.push((await devices.post('admin/customers', { name: 'Firm', email })).id)
    const unverified = await newUser({ email: others[0] })
    await erase(unverified.token)
    expect((await devices.get(`admin/customers/${ids[0]}`)).email).toBe(others[0])
    const ann = await newUser({ email: `${name}@x.co`, emailVerified: true })
    await erase(ann.token)
    for (const [place, id] of ids.entries()) expect((await auditOf(id)).email).toBe(others[place])
  })

  test('an address that is not known to be theirs goes from what was sent to it, and nothing else of that', async () => {
    const email = `claimed${nextNumber()}@x.example`
    const user = await newUser({ email })
    const { id } = await devices.newEntitlement({ licensePolicy: { maxDeviceActivations: 2 } })
    const { activationCode } = await devices.newCode(id, { email: email.toUpperCase(), fingerprint: 'laptop' })
    const somebody = await devices.newDevice(activationCode, 'laptop')
    const said = { kind: 'ProblemReport', text: 'It crashes.', replyTo: email }
    const feedback = await must(devices.at('POST', 'consumer/me/feedback', { token: somebody.token, body: said }))
    const registration = await must(devices.at('POST', 'registrations', { token: null, body: { email } }))
    const namesIt = async () => (await dump()).filter((table) => table.toLowerCase().includes(email))
    expect((await namesIt()).length).toBeGreaterThan(4)
    const { id: erasure } = await file(user.token, { kind: 'Erasure' })
    await decide(erasure, 'approve')
    await decide(erasure, 'complete')
    const codes = await devices.get(`admin/entitlements/${id}/activation-codes`)
    expect(codes.items).toMatchObject([{ activationCode, email: null, fingerprint: 'laptop', status: 'Active' }])
    expect(await devices.get(`admin/feedback/${feedback.id}`)).toMatchObject({ text: said.text, replyTo: null })
    expect(await must(devices.say('check-in', somebody))).toMatchObject({ session: { email: null } })
    expect((await namesIt()).map((table) => JSON.parse(table)[0])).toEqual(['registrations'])
    await must(
      devices.at('POST', 'registrations/confirm', {
        ...{ token: null, body: { token: registration.confirmationToken } },
      }),
    )
  })

  test('an address that was not known to be theirs and has become another user’s stays that user’s', async () => {
    const email = `next${nextNumber()}@x.example`
    const first = await newUser({ email })
    const { id: erasure } = await file(first.token, { kind: 'Erasure' })
    await decide(erasure, 'approve')
    await must(devices.at('DELETE', `admin/users/${first.id}`))
    const { id } = await devices.newEntitlement()
    await newUser({ email, emailVerified: true })
    await devices.newCode(id, { email })
    await decide(erasure, 'complete')
    expect((await devices.get(`admin/entitlements/${id}/activation-codes`)).items).toMatchObject([{ email }])
  })

  test('what a user does while they are erased is either erased or refused', async () => {
    for (let round = 0; round < 3; round++) {
      const name = `Racer${nextNumber()}`
      const user = await newUser({ email: `${name}@x.example`, emailVerified: true })
      const entitlement = await devices.newEntitlement({ licensePolicy: { maxDeviceActivations: 2 } })
      await devices.post(`admin/entitlements/${entitlement.id}/principals/${user.id}`)
      const { token } = user
      const activate = (fingerprint: string) =>
        devices.at('POST', 'activations/license', { token, body: { useInteractiveUser: true, fingerprint } })
      const license = await must(activate(`first of ${name}`))
      const erasure = await file(token, { kind: 'Erasure' })
      await decide(erasure.id, 'approve')
      const feedback = (token: string) =>
        devices.at('POST', 'consumer/me/feedback', { token, body: { kind: 'GeneralComment', text: `text of ${name}` } })
      const [done, ...rest] = await Promise.all([
        devices.at('POST', `${requests}/${erasure.id}/complete`, { body: {} }),
        activate(`second of ${name}`),
        feedback(token),
        feedback(license.token),
        mine(token, 'POST', '', { kind: 'Access', note: `text of ${name}` }),
      ])
      expect(done.status).toBe(200)
      for (const { status } of rest) expect([200, 401, 403]).toContain(status)
      expect((await dump()).filter((table) => table.includes(name))).toEqual([])
    }
  })
})
