import { expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { metersOf } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server, 'sandbox')
  const { devices } = meters

  const newEntitlement = async (): Promise<string> =>
    (await meters.newEntitlement({ credits: { balanceUsage: { initialCreditAmount: 5 } } })).id
  const grants = (id: string) => `operational/entitlements/${id}/credit-grants`
  const grant = (id: string, body: object = {}): Promise<Json> =>
    devices.post(grants(id), { metric: 'credits', amount: 10.5, ...body })
  const list = async (id: string, query = ''): Promise<Json[]> => (await devices.get(grants(id) + query)).items
  const newUser = async (...assignedTo: string[]) => {
    const { id } = await devices.post('admin/users', { email: `granted-${nextNumber()}@x.example` })
    for (const entitlementId of assignedTo) await devices.post(`admin/entitlements/${entitlementId}/principals/${id}`)
    const signIn = async (): Promise<string> => (await devices.post(`operational/users/${id}/tokens`)).access_token
    return { id: id as string, token: await signIn(), signIn }
  }
  const redeem = (token: string, code: string, headers: Record<string, string> = {}) =>
    devices.at('POST', 'consumer/me/credit-grants', { token, body: { code }, headers })
  const creditsOf = async (id: string): Promise<Json> =>
    (await devices.get(`operational/entitlements/${id}/usage`)).meters[0].consumption

  test('a user to whom the entitlement is assigned redeems a grant by its code, however it is typed', async () => {
    const id = await newEntitlement()
    const user = await newUser(id)
    const made = await grant(id)
    const { code, ...listed } = made
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){3}$/)
    expect(listed).toEqual({
      ...{ id: expect.any(String), metric: 'credits', amount: 10.5, expiresAt: null, createdAt: expect.any(String) },
      ...{ status: 'Open', redeemedAt: null, redeemedBy: null },
    })
    expect(await list(id)).toEqual([listed])
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'L')}`
    const redeemed = await must(redeem(user.token, typed))
    expect(redeemed).toEqual({
      ...{ grantId: made.id, entitlementId: id, metric: 'credits', amount: 10.5, redeemedAt: expect.any(String) },
      balance: await creditsOf(id),
    })
    expect(redeemed.balance.remaining).toBe(15.5)
    expect(await list(id)).toEqual([
      { ...listed, status: 'Redeemed', redeemedAt: redeemed.redeemedAt, redeemedBy: user.id },
    ])
    const { items } = await devices.get(`operational/entitlements/${id}/balances/credits/ledger`)
    expect(items[0]).toMatchObject({ kind: 'Grant', amount: 10.5, reference: made.id, actor: `user:${user.id}` })
    expect(problemOf(await redeem(user.token, code))).toEqual([409, 'usage.grant_not_open'])
    expect(problemOf(await devices.at('DELETE', `${grants(id)}/${made.id}`))).toEqual([409, 'catalog.in_use'])
  })

  test('of those who redeem a grant at once one does, and an Idempotency-Key repeats the answer', async () => {
    const id = await newEntitlement()
    const users = await Promise.all([newUser(id), newUser(id)])
    const { code } = await grant(id)
    const key = { 'idempotency-key': 'mine' }
    const answers = await Promise.all(
      [...users, ...users, ...users].map(({ token }, index) => redeem(token, code, index < 2 ? key : {})),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(problemOf(answer)).toEqual([409, 'usage.grant_not_open'])
    expect((await creditsOf(id)).remaining).toBe(15.5)
    const second = (await grant(id)).code
    const first = await redeem(users[0]!.token, second, { 'idempotency-key': 'once' })
    const again = await redeem(users[0]!.token, second, { 'idempotency-key': 'once' })
    expect([first.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true'])
    expect((await creditsOf(id)).remaining).toBe(26)
  })

  test('to a user of another entitlement a grant is answered as a code that nobody made', async () => {
    const [id, another] = [await newEntitlement(), await newEntitlement()]
    const stranger = await newUser(another)
    const { code, id: grantId } = await grant(id)
    const answers = [await redeem(stranger.token, code), await redeem(stranger.token, 'AAAAA-AAAAA-AAAAA-AAAAA')]
    for (const answer of answers) expect(problemOf(answer)).toEqual([404, 'license.record_not_found'])
    expect(answers[0]!.body.detail).toBe(answers[1]!.body.detail)
    expect((await redeem(server.tokens.sandbox, code)).status).toBe(401)
    const user = await newUser(id)
    const stale = await devices.at('DELETE', `${grants(id)}/${grantId}`, { headers: { 'if-match': '"9"' } })
    expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
    await must(devices.at('DELETE', `${grants(id)}/${grantId}`))
    expect(problemOf(await redeem(user.token, code))).toEqual([404, 'license.record_not_found'])
    expect(problemOf(await devices.at('DELETE', `${grants(id)}/${grantId}`))).toEqual([404, 'license.record_not_found'])
    for (let tries = 0; tries < 58; tries++) await redeem(stranger.token, `wrong ${tries}`)
    const limited = await redeem(stranger.token, code)
    expect(problemOf(limited)).toEqual([429, 'request.rate_limited'])
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    await devices.advance('PT1M')
    expect(problemOf(await redeem(await stranger.signIn(), code))).toEqual([404, 'license.record_not_found'])
  })

  test('a grant is redeemed before its very end, while the entitlement is good', async () => {
    const id = await newEntitlement()
    const user = await newUser(id)
    const now = Date.parse((await devices.get('admin/test-clock')).now)
    const made = await grant(id, { expiresAt: new Date(now + 3_600_000).toISOString() })
    await devices.post(`admin/entitlements/${id}/suspend`)
    expect(problemOf(await redeem(user.token, made.code))).toEqual([403, 'license.entitlement_not_active'])
    await devices.post(`admin/entitlements/${id}/resume`)
    await devices.advance('PT1H')
    expect(problemOf(await redeem(await user.signIn(), made.code))).toEqual([409, 'usage.grant_not_open'])
    expect(await list(id, '?filter=status==Expired')).toMatchObject([{ id: made.id, status: 'Expired' }])
    expect(await list(id, '?filter=status==Open')).toEqual([])
    expect((await creditsOf(id)).remaining).toBe(5)
  })

  test('a grant is of a balance of the entitlement, of an amount, with an end to come', async () => {
    const id = await newEntitlement()
    const ask = (body: object, more: object = {}) =>
      devices.at('POST', grants(id), { body: { metric: 'credits', amount: 1, ...body }, ...more })
    expect(problemOf(await ask({ metric: 'Credits' }))).toEqual([404, 'usage.metric_not_found'])
    for (const [body, pointers] of [
      [{ amount: 0 }, ['/amount']],
      [{ expiresAt: '2020-01-01T00:00:00Z', amount: -1 }, ['/amount', '/expiresAt']],
      [{ code: 'AAAA' }, ['/code']],
    ] as const)
      expect(pointersOf(await ask(body))).toEqual([400, 'license.validation_error', pointers])
    expect(problemOf(await ask({}, { tenant: 'neighbour', token: server.tokens.neighbour }))).toEqual([
      ...[404, 'license.record_not_found'],
    ])
    expect(problemOf(await devices.at('GET', grants(noSuchId)))).toEqual([404, 'license.record_not_found'])
    const token = await server.tokenWith(['operational.entitlements:update'], 'sandbox')
    expect(problemOf(await ask({}, { token }))).toEqual([403, 'auth.insufficient_scope'])
    expect(await list(id)).toEqual([])
  })

  test('grants are filtered and sorted by each of their fields, and no code is in the database', async () => {
    const id = await newEntitlement()
    const user = await newUser(id)
    const made = [await grant(id, { amount: 9, expiresAt: '2999-01-01T00:00:00Z' }), await grant(id, { amount: 10 })]
    await must(redeem(user.token, made[1].code))
    const items = await list(id)
    expect(items.map((one) => one.id)).toEqual(made.map((one) => one.id))
    for (const [field, value] of Object.entries(items[1])) {
      const query = `?filter=${encodeURIComponent(`${field}==${value},id==${items[1].id}`)}&sortOrder=-${field}`
      expect([field, await list(id, query)]).toEqual([field, [items[1]]])
    }
    expect((await list(id, '?sortOrder=amount&filter=amount>=9')).map(({ amount }) => amount)).toEqual([9, 10])
    const database = openDatabase(server.databaseUrl)
    try {
      const rows = JSON.stringify(await database.read.selectFrom('credit_grants').selectAll().execute())
      for (const { code } of made) for (const part of [code, ...code.split('-')]) expect(rows).not.toContain(part)
    } finally {
      await database.close()
    }
  })
})
