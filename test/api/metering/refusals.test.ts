import { afterAll, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { keptConnections } from './kept-connections.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

const invalid = [400, 'license.validation_error']
const malformed = [400, 'request.malformed']
const unknown = [404, 'usage.metric_not_found']
const unauthenticated = [401, 'auth.unauthenticated']
const badAmounts = [
  ...['', '0', '-1', '-0', '0.0', '1e18', '1e309', '1e-19', '1e-400', `1.${'0'.repeat(100)}`, 'NaN', 'Infinity'],
  ...['-Infinity', '0x10', '1_0', ' 1 ', '1,5', '١', '+1', '1e', '.', 'null', 'true', '[1]', '{"a":1}'],
]
const billion = 1_000_000_000n
/** As they are written, and in billionths. */
const exactAmounts = [
  ['9007199254740993', 9007199254740993n * billion],
  ['1000000000000000.1', 1_000_000_000_000_000_100_000_000n],
  ['1000000000000000.123456789', 1_000_000_000_000_000_123_456_789n],
  ['90071992547409930e-1', 9007199254740993n * billion],
  ['0.100000001', 100_000_001n],
] as const
/** Billionths written out. */
const decimal = (amount: bigint) =>
  `${amount / billion}.${String(amount % billion).padStart(9, '0')}`.replace(/\.?0+$/, '')
const replayOf = (text: string) => text.replace('"replayed":false', '"replayed":true')
const withinBody = (amount: string) => `{"amount":${amount},"idempotentKey":"hold"}`

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)
  const meters = metersOf(server)
  const { ask, close } = keptConnections()
  afterAll(close)
  const endless = { meteredUsage: { usageTiers: [tier(0, null, 'None')] } }
  const usagePath = () => `${server.baseUrl()}/api/v1/provision/usage`
  const query = (parts: Record<string, string>) => String(new URLSearchParams(parts))
  const at = (method: string, path: string, { token }: Json, body?: string, headers: Record<string, string> = {}) =>
    ask(method, `${usagePath()}/${path}`, token, { headers, ...(body === undefined ? {} : { body }) })

  /** That nothing at all came of what was asked. */
  const expectUntouched = async (license: Json) => {
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 0 })
    const { read } = beside.open
    const { entitlementId } = license
    const decisions = read.selectFrom('usage_decisions').select('lookup').where('lookup', 'like', `${entitlementId} %`)
    const holds = read.selectFrom('usage_holds').select('id').where('entitlement_id', '=', entitlementId)
    expect([await decisions.execute(), await holds.execute()]).toEqual([[], []])
  }

  test('an amount that is none is refused everywhere, and changes nothing', async () => {
    const license = await meters.newLicense({ calls: endless })
    const { id } = license.session
    for (const amount of badAmounts) {
      const asked = query({ amount, idempotentKey: 'key' })
      const answers = [
        await at('POST', `try-consume/${id}/calls?${asked}`, license),
        await at('POST', `try-preallocate/${id}/calls?${query({ amount })}`, license),
        await at('POST', `holds/${id}/calls`, license, withinBody(JSON.stringify(amount))),
      ]
      expect([amount, answers.map(problemOf)]).toEqual([amount, [invalid, invalid, invalid]])
    }
    for (const amount of ['-1', '1e18', '1e-19', '1e-400', 'null', 'true', '[1]', '{"a":1}'])
      for (const [path, body] of [
        [`holds/${id}/calls`, withinBody(amount)],
        [`holds/${noSuchId}/settle`, `{"amount":${amount}}`],
      ] as const)
        expect([path, amount, problemOf(await at('POST', path, license, body))]).toEqual([path, amount, invalid])
    for (const amount of ['0', '-0', '0e9'])
      expect(problemOf(await at('POST', `holds/${id}/calls`, license, withinBody(amount)))).toEqual(invalid)
    for (const amount of ['1e309', 'NaN', '+1', '01', '.5', '0x10'])
      expect(problemOf(await at('POST', `holds/${id}/calls`, license, withinBody(amount)))).toEqual(malformed)
    for (const asked of [
      'idempotentKey=key',
      'amount=1&amount=100&idempotentKey=key',
      'amount=1&Amount=1&idempotentKey=key',
    ])
      expect([asked, problemOf(await at('POST', `try-consume/${id}/calls?${asked}`, license))]).toEqual([
        asked,
        invalid,
      ])
    expect(problemOf(await at('POST', `try-preallocate/${id}/calls?amount=1&amount=2`, license))).toEqual(invalid)
    await expectUntouched(license)
  })

  test('an idempotentKey is 1 to 200 characters of any script', async () => {
    const license = await meters.newLicense({ calls: endless })
    const { id } = license.session
    const consume = (more: string) => at('POST', `try-consume/${id}/calls?amount=1${more}`, license)
    const keyed = (key: string) => consume(`&${query({ idempotentKey: key })}`)
    const hold = (body: object) => at('POST', `holds/${id}/calls`, license, JSON.stringify({ amount: 1, ...body }))
    for (const refused of ['', '&idempotentKey', '&idempotentKey=', '&idempotentKey=a&idempotentKey=b'])
      expect([refused, problemOf(await consume(refused))]).toEqual([refused, invalid])
    for (const key of ['', 'k'.repeat(201), '🙂'.repeat(201), 7, null, ['a']])
      expect([key, problemOf(await hold({ idempotentKey: key }))]).toEqual([key, invalid])
    for (const key of ['k'.repeat(201), '🙂'.repeat(201), '\0']) expect(problemOf(await keyed(key))).toEqual(invalid)
    expect(problemOf(await consume('&idempotentKey=%ff'))).toEqual(invalid)
    for (const key of ['\0', '\ud800']) expect(problemOf(await hold({ idempotentKey: key }))).toEqual(malformed)
    expect(problemOf(await hold({}))).toEqual(invalid)
    await expectUntouched(license)

    const accepted = [
      'k'.repeat(200),
      '🙂'.repeat(200),
      'é',
      'e\u0301',
      'Job',
      'job',
      ' job',
      'a\nb',
      "'; --",
      '%2F',
      '__proto__',
    ]
    for (const key of accepted) {
      expect((await keyed(key)).body).toMatchObject({ allowed: true, idempotentKey: key, replayed: false })
      expect((await keyed(key)).body).toMatchObject({ allowed: true, idempotentKey: key, replayed: true })
    }
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: accepted.length })
  })

  test('a metric is found by its exact name alone', async () => {
    const license = await meters.newLicense({ calls: endless, 'a/b': endless, 'bytes 東京 🙂': endless })
    const { id } = license.session
    const asked = [
      ...['CALLS', 'Calls', 'calls ', 'call', 'a%2Fc', 'x'.repeat(101), 'x'.repeat(1900), '%F0%9F%98%80', '__proto__'],
      ...['constructor', 'toString', 'null', '%00', "'%20or%201=1"],
    ].map((metric) => [metric, unknown] as const)
    const unreadable = [
      ['%ff', malformed],
      ['%zz', malformed],
    ] as const
    for (const [metric, problem] of [...asked, ...unreadable]) {
      const name = metric.replaceAll(' ', '%20')
      const answers = [
        await at('POST', `try-consume/${id}/${name}?amount=1&idempotentKey=key`, license),
        await at('POST', `try-preallocate/${id}/${name}`, license),
        await at('GET', `${id}/${name}/usage`, license),
        await at('GET', `${id}/${name}/consumption`, license),
        await at('POST', `holds/${id}/${name}`, license, withinBody('1')),
      ]
      for (const answer of answers) expect([metric, problemOf(answer)]).toEqual([metric, problem])
    }
    for (const metric of ['..', '.', '%2e%2e', '%2E', '', 'a/b', 'x'.repeat(1900)]) {
      const { status, body } = await at('POST', `try-consume/${id}/${metric}?amount=1&idempotentKey=key`, license)
      expect([metric, status, typeof body.codeName]).toEqual([metric, status === 400 ? 400 : 404, 'string'])
    }
    await expectUntouched(license)
    for (const name of ['a/b', 'bytes 東京 🙂'])
      expect(await meters.consume(license, encodeURIComponent(name), 1)).toMatchObject({ allowed: true, metric: name })
  })

  test('amounts are exact in every answer, in a replay, and in what is read', async () => {
    const license = await meters.newLicense({ calls: endless, credits: { balanceUsage: { initialCreditAmount: 10 } } })
    const { id } = license.session
    let used = 0n
    const expectFigures = (text: string, amount: bigint) => {
      expect(text).toContain(`"amount":${decimal(amount)},`)
      expect(text).toContain(`"usage":${decimal(used)},`)
    }
    for (const [written, amount] of exactAmounts) {
      used += amount
      const asked = await at('POST', `try-preallocate/${id}/calls?amount=${written}`, license)
      expectFigures(asked.text, amount)
      const path = `try-consume/${id}/calls?amount=${written}&idempotentKey=${written}`
      const headers = { 'idempotency-key': written }
      const decided = await at('POST', path, license, undefined, headers)
      expectFigures(decided.text, amount)
      expect((await at('POST', path, license, undefined, headers)).text).toBe(decided.text)
      expect((await at('POST', path, license)).text).toBe(replayOf(decided.text))
      for (const read of ['usage', 'consumption'])
        expect((await at('GET', `${id}/calls/${read}`, license)).text).toContain(`"usage":${decimal(used)},`)

      const body = `{"amount":${written},"idempotentKey":"held ${written}"}`
      const held = await at('POST', `holds/${id}/calls`, license, body)
      expectFigures(held.text, amount)
      used += amount
      const settle = () => at('POST', `holds/${held.body.holdId}/settle`, license, `{"amount":"${written}"}`)
      const settled = await settle()
      expectFigures(settled.text, amount)
      expect((await settle()).text).toBe(replayOf(settled.text))
    }
    const credits = `operational/entitlements/${license.entitlementId}`
    const deposited = await meters.devices.at('POST', `${credits}/balances/credits/deposit`, {
      body: '{"amount":9007199254740983.000000001}',
    })
    expect(deposited.text).toContain('"totalCredits":9007199254740993.000000001,')
    const spent = await at('POST', `try-consume/${id}/credits?amount=0.000000002&idempotentKey=spent`, license)
    expect(spent.text).toContain('"remaining":9007199254740992.999999999,')
  })

  test('a tenth fits ten times into one, and not an eleventh time', async () => {
    const license = await meters.newLicense({ calls: { meteredUsage: { usageTiers: [tier(0, 1, 'None')] } } })
    const decisions: Json[] = []
    for (let call = 0; call < 11; call++) decisions.push(await meters.consume(license, 'calls', '0.1'))
    expect(decisions.map(({ allowed }) => allowed)).toEqual([...Array(10).fill(true), false])
    expect((await at('GET', `${license.session.id}/calls/usage`, license)).text).toContain(
      '"usage":1,"limit":1,"remaining":0,',
    )
  })

  test('to ask is to change nothing, however often and whatever is answered', async () => {
    const license = await meters.newLicense({
      calls: {
        meteredUsage: {
          usageTiers: [
            tier(0, 1, 'RateLimit', { quotaUsageLevel: 'Normal' }),
            tier(1, 9, 'AllowWithOverage', { fundingBalanceMetric: 'credits', creditsPerUnitOfConsumption: 9 }),
            tier(9, null, 'SuspendUsage', { quotaUsageLevel: 'OverUsage' }),
          ],
        },
      },
      credits: { balanceUsage: { initialCreditAmount: 1 } },
    })
    const stored = async () => {
      const { read } = beside.open
      const of = 'entitlement_id'
      const states = read.selectFrom('meter_states').selectAll().where(of, '=', license.entitlementId)
      const entries = read.selectFrom('balance_entries').selectAll().where(of, '=', license.entitlementId)
      return [
        await states.orderBy('meter_id').execute(),
        await entries.execute(),
        await read.selectFrom('events').select('id').execute(),
      ]
    }
    const before = await stored()
    const reasons = await Promise.all(
      Array.from({ length: 100 }, async (_, call) => {
        const amount = [1, 2, 20][call % 3]
        return (await at('POST', `try-preallocate/${license.session.id}/calls?amount=${amount}`, license)).body.reason
      }),
    )
    expect(new Set(reasons)).toEqual(new Set([null, 'insufficient_credits', 'suspended']))
    expect(await stored()).toEqual(before)
    await expectUntouched(license)
  })

  test("each call takes the session's own license token, and nothing else", async () => {
    const entitlement = await meters.newEntitlement({ calls: endless })
    const [one, other] = [await meters.newSession(entitlement.id), await meters.newSession(entitlement.id)]
    const elsewhere = metersOf(server, 'sandbox')
    const theirs = await elsewhere.newLicense({ calls: endless })
    const { holdId } = (await meters.hold(one, 'calls', { amount: 5 })).body
    const ofSession = [
      ['POST', `try-consume/${one.session.id}/calls?amount=1&idempotentKey=key`],
      ['POST', `try-preallocate/${one.session.id}/calls`],
      ['GET', `${one.session.id}/calls/usage`],
      ['GET', `${one.session.id}/calls/consumption`],
      ['POST', `holds/${one.session.id}/calls`, withinBody('1')],
    ] as const
    const ofHold = [
      ['POST', `holds/${holdId}/settle`, '{"amount":1}'],
      ['POST', `holds/${holdId}/release`],
    ] as const
    for (const [method, path, body] of [...ofSession, ...ofHold]) {
      for (const token of [server.tokens.acme, null, '', 'garbage', theirs.token, `${one.token}x`])
        expect([path, token, problemOf(await at(method, path, { token }, body))]).toEqual([
          path,
          token,
          unauthenticated,
        ])
      const abroad = await ask(method, `${server.baseUrl('sandbox')}/api/v1/provision/usage/${path}`, one.token, {
        body,
      })
      expect([path, problemOf(abroad)]).toEqual([path, unauthenticated])
    }
    for (const [method, path, body] of ofSession)
      expect([path, problemOf(await at(method, path, other, body))]).toEqual([path, [403, 'auth.insufficient_scope']])
    for (const [method, path, body] of ofHold)
      expect([path, problemOf(await at(method, path, other, body))]).toEqual([path, [404, 'license.record_not_found']])
    expect(await meters.usage(one, 'calls')).toMatchObject({ usage: 0 })
    expect((await meters.settle(one, holdId, 5)).body).toMatchObject({ allowed: true, usage: 5 })
  })

  test('a hold is asked for by its fields alone, for a second to a day', async () => {
    const license = await meters.newLicense({ calls: endless })
    const { id } = license.session
    const hold = (body: object) => meters.hold(license, 'calls', { amount: 1, ...body })
    const refused = ['PT0S', 'P2D', 'P1DT1S', 'PT25H', 'P1M', '-PT1M', 'garbage', '', 'PT', 60, 'PT1e3S', 'P1Y']
    for (const expiresIn of refused)
      expect([expiresIn, problemOf(await hold({ expiresIn }))]).toEqual([expiresIn, invalid])
    for (const unknownField of ['holdId', 'allowed', 'sessionId', 'Amount', 'metric'])
      expect(problemOf(await hold({ [unknownField]: 1 }))).toEqual(invalid)
    for (const body of ['', '[]', 'null', '1'])
      expect([body, (await at('POST', `holds/${id}/calls`, license, body)).status]).toEqual([body, 400])
    for (const body of ['{}', '{"amount":1,"more":1}'])
      expect(problemOf(await at('POST', `holds/${noSuchId}/settle`, license, body))).toEqual(invalid)
    await expectUntouched(license)
    for (const expiresIn of ['PT1S', 'P1D', 'PT24H', null, undefined])
      expect((await hold(expiresIn === undefined ? {} : { expiresIn })).body).toMatchObject({ allowed: true })
  })
})
