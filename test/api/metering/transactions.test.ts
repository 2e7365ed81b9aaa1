import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { CallOptions } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>
const day = 24 * 3_600_000
const ago = (millis: number) => new Date(Date.now() - millis).toISOString()
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** A record of usage. */
const used = (transactionId: number, metricName = 'calls', amount: number | string = 1, more: object = {}) => ({
  transactionId,
  creationDateTime: ago(0),
  eventName: 'UsageReported',
  eventData: JSON.stringify({ metricName, amount }),
  ...more,
})

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)
  const { devices } = meters
  const ten = { meteredUsage: { usageTiers: [tier(0, 10, 'None'), tier(10, 20, 'Deny')] } }

  const post = (path: string, body: unknown, more: CallOptions = {}) =>
    devices.at('POST', `usage/${path}/transactions`, { body, ...more })
  const send = ({ token, session }: Json, records: unknown, more: CallOptions = {}) =>
    post(`sessions/${session.id}`, records, { token, ...more })
  const sent = (license: Json, records: unknown, more: CallOptions = {}): Promise<Json> =>
    must(send(license, records, more))
  const usageOf = async (license: Json, metric = 'calls') => (await meters.usage(license, metric)).usage

  test('each record is counted once, whatever batches it comes in and however many at once', async () => {
    const license = await meters.newLicense({ calls: ten })
    const whole = ids(1, 100).map((id) => used(id))
    const answers: Json[] = await Promise.all(Array.from({ length: 10 }, () => sent(license, whole)))
    for (const answer of answers) expect(answer).toMatchObject({ acknowledgedTransactionId: 100, rejected: [] })
    expect(answers.map(({ processed }) => processed).toSorted((a, b) => a - b)).toEqual([...Array(9).fill(0), 100])
    expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(900)
    const overlapping = [ids(101, 150), ids(130, 180), ids(90, 110)]
    await Promise.all(
      overlapping.map((some) =>
        sent(
          license,
          some.map((id) => used(id)),
        ),
      ),
    )
    expect(await sent(license, [])).toEqual({
      ...{ acknowledgedTransactionId: 180, processed: 0, duplicates: 0, rejected: [] },
    })
    expect(await usageOf(license)).toBe(180)
  })

  test('of a meter that lost its limits, usage from before its last period counts on as any other', async () => {
    const { id, products } = await meters.newEntitlement({ calls: { allowedBackDatingTolerance: 'P400D' } })
    const [{ id: productId }] = products
    const planOf = (name: string, value: object) => ({
      ...{ name, lineItems: [{ productId, featureValues: [{ featureCode: 'CALLS', ...value }] }] },
    })
    const plans = [planOf('Ten', { value: '10' }), planOf('Silent', {})]
    const { id: planSetId } = await meters.admin('usage-plans/plan-sets', { productId, name: 'Limits', plans })
    const license = await meters.newSession(id)
    for (const planName of ['Ten', 'Silent']) {
      await meters.admin(`entitlements/${id}/apply-plan`, { planSetId, planName })
      await meters.consume(license, 'calls', 2)
    }
    const eventData = JSON.stringify({ metricName: 'calls', amount: 3, occurredAt: ago(40 * day) })
    expect(await sent(license, [used(1, 'calls', 1, { eventData })])).toMatchObject({ processed: 1, rejected: [] })
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 7, periodStart: null })
  })

  test('of one id in a batch the first counts, and what counts nothing is kept once as well', async () => {
    const license = await meters.newEntitlement({}).then(({ id }) => meters.newSession(id))
    const note = (transactionId: number, eventName: string, eventData = '{"featureCode":"EXPORT"}') => ({
      ...{ transactionId, eventName, eventData },
    })
    const records = [note(1, 'FeatureUsed'), note(2, 'DoorOpened', '[1.50]'), note(2, 'DoorClosed', 'null')]
    const answers: Json[] = await Promise.all(Array.from({ length: 5 }, () => sent(license, records)))
    expect(answers.reduce((sum, { processed }) => sum + processed, 0)).toBe(2)
    expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(13)
  })

  test('one id in two sessions and in their entitlement is three records', async () => {
    const one = await meters.newLicense({ calls: ten })
    const other = await meters.newSession(one.entitlementId)
    for (const license of [one, other]) expect(await sent(license, [used(7)])).toMatchObject({ processed: 1 })
    const { entitlementId } = one
    const records = [
      used(7),
      used(7, 'calls', 1, { sessionId: other.session.id }),
      used(9, 'calls', 1, { sessionId: noSuchId }),
    ]
    expect(await must(post(`entitlements/${entitlementId}`, records))).toMatchObject({
      ...{ acknowledgedTransactionId: 9, processed: 1, duplicates: 1 },
      rejected: [{ transactionId: 9, code: 2000, codeName: 'license.validation_error' }],
    })
    expect(await usageOf(one)).toBe(3)
    await must(post(`entitlements/${entitlementId}`, [used(20)]))
    const ofOther = [used(8, 'calls', 1, { sessionId: other.session.id })]
    expect(await must(post(`entitlements/${entitlementId}`, ofOther))).toMatchObject({ acknowledgedTransactionId: 8 })
    const asked = { body: { entitlementId, records: [] } }
    const { body } = await server.api('POST', '/trpc/usage.entitlements.transactions', asked)
    expect(body.result.data).toMatchObject({ acknowledgedTransactionId: 20, processed: 0 })
  })

  test('what is wrong with a record is said of it, and it is acknowledged without being kept', async () => {
    const license = await meters.newLicense({ calls: ten })
    const records = [
      used(1),
      { ...used(2), eventData: '{"metricName":' },
      used(3, 'CALLS'),
      used(4, 'calls', 0),
      used(5, 'calls', 1, { sessionId: noSuchId }),
      used(6, 'calls', 1, { creationDateTime: ago(4 * day) }),
      used(7, 'calls', 1, { creationDateTime: ago(-60_000) }),
      { ...used(8), kind: 'x' },
      'no record',
      { ...used(8), transactionId: 2 ** 53 },
      used(1.5),
      used(9),
      used(11, 'other'),
    ]
    const first = await sent(license, records)
    expect(first).toMatchObject({ acknowledgedTransactionId: 11, processed: 2, duplicates: 0 })
    expect(first.rejected.map(({ transactionId, code, message }: Json) => [transactionId, code, message])).toEqual([
      [2, 2000, expect.stringMatching(/^\/eventData: must hold JSON/)],
      [3, 4001, expect.stringContaining('"CALLS"')],
      [4, 2000, expect.stringMatching(/^\/eventData\/amount/)],
      [5, 2000, expect.stringMatching(/^\/sessionId/)],
      [6, 2000, expect.stringContaining('P3D')],
      [7, 2000, expect.stringContaining('future')],
      [8, 2000, expect.stringMatching(/^\/kind/)],
      [null, 2000, 'The record: must be an object'],
      [null, 2000, expect.stringMatching(/^\/transactionId/)],
      [null, 2000, expect.stringMatching(/^\/transactionId/)],
      [11, 4001, expect.anything()],
    ])
    expect(await sent(license, [used(3), used(4), ...records.slice(0, 2)])).toMatchObject({
      ...{ acknowledgedTransactionId: 11, processed: 2, duplicates: 1, rejected: [{ transactionId: 2 }] },
    })
    expect(await usageOf(license)).toBe(4)
  })

  test('what is acknowledged never goes back, and is of one session alone', async () => {
    const one = await meters.newLicense({ calls: ten })
    const other = await meters.newSession(one.entitlementId)
    const old = { creationDateTime: ago(4 * day) }
    const batches = [
      [used(1)],
      [used(2), used(9, 'calls', 1, old)],
      [used(3)],
      [],
      [used(4, 'other'), used(2)],
      [used(10)],
    ]
    const acknowledged: Json[] = []
    for (const batch of batches) acknowledged.push((await sent(one, batch)).acknowledgedTransactionId)
    expect(acknowledged).toEqual([1, 9, 9, 9, 9, 10])
    expect(await sent(other, [used(1)])).toMatchObject({ acknowledgedTransactionId: 1 })
    const { entitlementId } = one
    const of = (sessionId: string, ...ids: number[]) => ids.map((id) => used(id, 'calls', 1, { sessionId }))
    const ofNobody = [{ ...used(50), kind: 'x' }, ...of(noSuchId, 60)]
    for (const [batch, highest] of [
      [ofNobody, 60],
      [of(other.session.id, 2), 2],
      [of(one.session.id, 5), 10],
      [[used(7)], 60],
    ])
      expect(await must(post(`entitlements/${entitlementId}`, batch))).toMatchObject({
        acknowledgedTransactionId: highest,
      })
  })

  test('a feature was used at most three days ago and not in the future, as usage is', async () => {
    const license = await meters.newLicense({ calls: ten })
    const note = (transactionId: number, occurredAt?: string) => ({
      ...{ transactionId, eventName: 'FeatureUsed', eventData: JSON.stringify({ featureCode: 'EXPORT', occurredAt }) },
    })
    const records = [note(1), note(2, ago(2 * day)), note(3, ago(4 * day)), note(4, ago(-day))]
    const answer = await sent(license, records)
    expect(answer).toMatchObject({ acknowledgedTransactionId: 4, processed: 2, duplicates: 0 })
    expect(answer.rejected.map(({ transactionId, code, message }: Json) => [transactionId, code, message])).toEqual([
      [3, 2000, expect.stringContaining('P3D')],
      [4, 2000, expect.stringContaining('future')],
    ])
  })

  test('no limit refuses what was used already, to the last digit, and what was decided stays', async () => {
    const license = await meters.newLicense({ calls: ten, credits: { balanceUsage: { initialCreditAmount: 5 } } })
    const decided = await meters.consume(license, 'calls', 9, 'before')
    const exact = `{"metricName":"calls","amount":1000000000000000.000000001}`
    const amounts = [{ ...used(1), eventData: exact }, ...ids(2, 11).map((id) => used(id, 'calls', 0.1))]
    expect(await sent(license, [...amounts, used(12, 'credits', '7.5')])).toMatchObject({ processed: 12, rejected: [] })
    const { text } = await meters.runtime('GET', `${license.session.id}/calls/usage`, license.token)
    expect(text).toContain('"usage":1000000000000010.000000001,')
    expect(await meters.consumption(license, 'credits')).toMatchObject({
      ...{ creditsUsed: 5, remaining: 0, unfundedCredits: 2.5, cumulativeCreditsUsed: 5 },
    })
    expect(await meters.consume(license, 'calls', 9, 'before')).toEqual({ ...decided, replayed: true })
    expect(await meters.consume(license, 'calls', 1)).toMatchObject({ allowed: false, reason: 'denied' })
  })

  test('late usage is counted and charged in the period that it belongs to', async () => {
    const overage = { fundingBalanceMetric: 'credits', creditsPerUnitOfConsumption: 1 }
    const license = await meters.newLicense({
      calls: {
        meteredUsage: {
          consumptionPeriod: 'Daily',
          usageTiers: [tier(0, 10, 'None'), tier(10, null, 'AllowWithOverage', overage)],
        },
      },
      credits: { balanceUsage: { initialCreditAmount: 100 } },
    })
    const yesterday = { creationDateTime: ago(day) }
    await sent(license, [used(1, 'calls', 4, yesterday), used(2, 'calls', 4, yesterday), used(3, 'calls', 3)])
    await sent(license, [used(4, 'calls', 4, yesterday), used(5, 'calls', 5, { creationDateTime: ago(2 * day) })])
    expect(await usageOf(license)).toBe(3)
    expect(await meters.consumption(license, 'credits')).toMatchObject({ remaining: 98 })
  })

  test('a batch holds at most 1,000 records, and a body 1 MiB', async () => {
    const license = await meters.newLicense({ calls: ten })
    expect(await sent(license, [])).toMatchObject({ acknowledgedTransactionId: null, processed: 0 })
    const { status, body } = await send(
      license,
      ids(1, 1001).map((id) => used(id)),
    )
    expect([status, body.codeName, body.detail]).toEqual([
      400,
      'license.validation_error',
      expect.stringContaining('1000'),
    ])
    expect(
      await sent(
        license,
        ids(1, 1000).map((id) => used(id)),
      ),
    ).toMatchObject({ processed: 1000 })
    expect(await usageOf(license)).toBe(1000)
    for (const [body, codeName] of [
      [{ records: [] }, 'license.validation_error'],
      ['[{"transactionId":1', 'request.malformed'],
      [[used(1, 'calls', 1, { eventName: 'x'.repeat(1024 * 1024) })], 'request.too_large'],
    ] as const)
      expect((await send(license, body, { headers: { 'content-type': 'application/json' } })).body.codeName).toBe(
        codeName,
      )
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const coded = await send(license, gzipSync('[]'), { headers })
    expect([...problemOf(coded), coded.headers.get('accept-encoding')]).toEqual([
      ...[415, 'request.unsupported_media_type'],
      'identity',
    ])
  })

  test('under one Idempotency-Key a batch is taken once, and another is refused', async () => {
    const license = await meters.newLicense({ calls: ten })
    const headers = { 'idempotency-key': 'upload' }
    const records = [used(1), used(2, 'other')]
    const [first, second] = [await send(license, records, { headers }), await send(license, records, { headers })]
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
    expect(first.body).toMatchObject({ processed: 1, rejected: [{ transactionId: 2 }] })
    expect(problemOf(await send(license, [used(3)], { headers }))).toEqual([409, 'request.idempotency_conflict'])
    expect(await usageOf(license)).toBe(1)
  })

  describe('who uploads', () => {
    test('to a session is that session, as long as it may go on', async () => {
      const license = await meters.newLicense({ calls: ten })
      const other = await meters.newSession(license.entitlementId)
      const path = `sessions/${license.session.id}`
      expect(problemOf(await post(path, [used(1)], { token: null }))).toEqual([401, 'auth.unauthenticated'])
      expect(problemOf(await post(path, [used(1)]))).toEqual([401, 'auth.unauthenticated'])
      expect(problemOf(await post(path, [used(1)], { token: other.token }))).toEqual([403, 'auth.insufficient_scope'])
      expect(await sent({ ...license, session: { id: license.session.id.toUpperCase() } }, [used(1)])).toMatchObject({
        processed: 1,
      })
      await must(devices.say('release', license))
      for (const place of [path, `entitlements/${license.entitlementId}`])
        expect(problemOf(await post(place, [used(2)], { token: license.token }))).toEqual([
          403,
          'license.session_not_valid',
        ])
      await devices.post(`admin/entitlements/${license.entitlementId}/suspend`)
      expect(problemOf(await send(other, [used(2)]))).toEqual([403, 'license.entitlement_not_active'])
    })

    test('to an entitlement is a session of it, or a client that may change entitlements', async () => {
      const license = await meters.newLicense({ calls: ten })
      const foreign = await meters.newLicense({ calls: ten })
      const path = `entitlements/${license.entitlementId}`
      const answers: Json[] = [
        await post(path, [used(1)], { token: null }),
        await post(path, [used(1)], { token: 'a.b.c' }),
        await post(path, [used(1)], { token: foreign.token }),
        await post(path, [used(1)], { token: await server.tokenWith(['operational.entitlements:read', 'admin.*:*']) }),
        await post(path, [used(1)], { tenant: 'neighbour' }),
        await post(`entitlements/${noSuchId}`, [used(1)]),
      ]
      expect(answers.map(problemOf)).toEqual([
        ...[
          [401, 'auth.unauthenticated'],
          [401, 'auth.unauthenticated'],
          [403, 'auth.insufficient_scope'],
          [403, 'auth.insufficient_scope'],
          [404, 'license.record_not_found'],
          [404, 'license.record_not_found'],
        ],
      ])
      expect(answers[3].body.detail).toContain('operational.entitlements:update')
      expect(await must(post(path, [used(1)], { token: license.token }))).toMatchObject({ processed: 1 })
      await must(devices.say('release', license))
      await devices.post(`admin/entitlements/${license.entitlementId}/suspend`)
      const token = await server.tokenWith(['operational.entitlements:update'])
      const ofClosed = used(1, 'calls', 1, { sessionId: license.session.id })
      const foreignRecord = used(2, 'calls', 1, { sessionId: foreign.session.id })
      expect(await must(post(path, [used(1), ofClosed, foreignRecord], { token }))).toMatchObject({
        ...{ acknowledgedTransactionId: 2, processed: 1, duplicates: 1, rejected: [{ transactionId: 2 }] },
      })
    })
  })
})
