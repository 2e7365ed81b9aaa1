import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paint } from '../../cli/colour.ts'
import { readAmount } from '../../cli/metering/amount.ts'
import { readRecords } from '../../cli/metering/transaction-records.ts'
import { decisionLines, meterLines, uploadedLines } from '../../cli/screens/usage.ts'
import type { Decision, Meter } from '../../cli/tasks/tenant-records.ts'
import { amountOf } from '../../server/metering/consumption/amount.ts'
import { licet } from '../support/licet-binary.ts'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'
import { json, problem, standIn } from './tenant-stand-in.ts'

type Json = ReturnType<typeof JSON.parse>
const never = '0199f000-0000-7000-8000-000000000000'
const provision = '/api/v1/provision'

const definitions = {
  exports: {
    meteredUsage: {
      consumptionPeriod: 'Monthly',
      usageTiers: [
        { startUsage: 0, endUsage: 80, quotaUsagePolicy: 'None', name: 'Included' },
        { startUsage: 80, endUsage: 100, quotaUsagePolicy: 'NotifyOnly', quotaUsageLevel: 'Warning' },
      ],
    },
  },
  bytes: { meteredUsage: { consumptionPeriod: 'Lifetime', usageTiers: [] } },
  credits: { unit: 'credits', balanceUsage: { initialCreditAmount: 50 } },
}

let here: Environments
let entitlementId: string
let token: string
beforeAll(async () => {
  here = await serveEnvironments(['acme'])
  const post = (path: string, body: object): Promise<Json> => here.ask('acme', 'POST', path, body)
  const product = await post('products', {
    ...{ productCode: 'CAD', name: 'CAD' },
    features: Object.keys(definitions).map((usageMetric) => ({
      ...{ featureCode: usageMetric.toUpperCase(), featureType: 'Metered', usageMetric },
    })),
  })
  for (const [metricName, definition] of Object.entries(definitions))
    await post('monitored-assets', { productId: product.id, metricName, name: metricName, ...definition })
  const sold = await post('entitlements', { name: 'Sold', status: 'Active', products: [{ productId: product.id }] })
  entitlementId = sold.id
  const { activationCode } = await post(`entitlements/${sold.id}/activation-codes`, {})
  const answer = await fetch(`${here.server.url}/t/acme${provision}/activations/license`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ activationCode, fingerprint: 'device-1' }),
  })
  token = ((await answer.json()) as Json).token
  writeFileSync(join(here.home.directory, 'licence.jwt'), token)
})
afterAll(() => here.server.stop())

const usage = (...args: string[]) => here.run(['usage', ...args])
const asDevice = ['--license', 'licence.jwt']
const asSupport = () => ['--entitlement', entitlementId, '--env', 'acme']
const meterOf = async (metric: string): Promise<Json> =>
  (await usage('show', ...asDevice, '--metric', metric, '--json')).json().meters[0]

/** A record of a local store. */
const record = (transactionId: number, metricName: string, amount: unknown, more: object = {}) =>
  JSON.stringify({
    ...{ transactionId, eventName: 'UsageReported', creationDateTime: new Date().toISOString() },
    ...{ eventData: `{"metricName":"${metricName}","amount":${amount}}`, ...more },
  })

describe('licet usage consume', () => {
  test('consumes once for a key, asks without consuming, and exits with 2 when it is refused', async () => {
    const first = await usage('consume', 'exports', ...asDevice, '--amount', '12.5')
    expect(first.stdout).toMatch(/^Consumed 12\.5 of exports\.\n {2}used +12\.5 of 100\n {2}remaining +87\.5\n/)
    const [, key] = /^The key is ([0-9a-f-]{36})\.$/m.exec(first.stderr) ?? []
    const again = await usage('consume', 'exports', ...asDevice, '--amount', '12.5', '--key', key!)
    expect(again.stdout).toMatch(/used +12\.5 of 100[\s\S]*decided +by an earlier call with this key/)
    const other = await usage('consume', 'exports', ...asDevice, '--amount', '13', '--key', key!, '--json')
    expect(other.json().error).toMatchObject({ code: 1006, hint: expect.stringMatching(/take another key/) })

    const asked = await usage('consume', 'exports', ...asDevice, '--amount', '80', '--dry-run')
    expect(asked.stdout).toMatch(/^Could consume 80 of exports\./)
    expect(asked.exitCode).toBe(0)
    const refused = await usage('consume', 'exports', ...asDevice, '--amount', '90')
    expect(refused.stdout).toMatch(
      /^REFUSED {2}90 of exports: it would pass the limit \(denied\)\.\n[\s\S]*try again +20/,
    )
    expect(refused.exitCode).toBe(2)
    const machine = await here.run(['usage', 'consume', 'exports', '--license', '-', '--amount', '90', '--json'], {
      input: token,
    })
    expect(machine.json()).toMatchObject({ allowed: false, reason: 'denied', usage: 12.5, remaining: 87.5 })
    expect(machine.exitCode).toBe(2)
    expect((await meterOf('exports')).usage).toMatchObject({ usage: 12.5, remaining: 87.5 })
  })

  test.each<[string, string[], number, RegExp]>([
    [
      'the token itself',
      ['exports', '--license', `eyJ${'a'.repeat(40)}.eyJ${'b'.repeat(40)}.${'c'.repeat(86)}`],
      64,
      /never goes/,
    ],
    ['no amount', ['exports', ...asDevice, '--amount', '-1'], 64, /decimal above 0/],
    ['more than any amount', ['exports', ...asDevice, '--amount', '1e400'], 64, /below 1e18/],
    ['no key', ['exports', ...asDevice, '--key', ''], 64, /1 to 200 characters/],
    ['too long a key', ['exports', ...asDevice, '--key', 'k'.repeat(201)], 64, /this one has 201/],
    ['a key where nothing is consumed', ['exports', ...asDevice, '--dry-run', '--key', 'k'], 64, /no --key/],
    ['no licence', ['exports'], 64, /license/],
    ['an unknown metric', ['EXPORTS', ...asDevice], 1, /Try: a metric name is lowercase/],
  ])('with %s', async (_, args, exitCode, said) => {
    const ended = await usage('consume', ...args)
    expect(ended.stderr).toMatch(said)
    expect(ended.stdout + ended.stderr).not.toContain('aaaa')
    if (exitCode === 64) expect(ended.stderr).not.toContain('The key is')
    expect(ended.exitCode).toBe(exitCode)
  })

  test.each<[string, boolean]>([
    ['1e17', true],
    ['999999999999999999.999999999999999999', true],
    ['0.000000000000000001', true],
    ['1e18', false],
    ['1e-19', false],
    ['1e999999', false],
    ['0', false],
    ['0x10', false],
    ['', false],
  ])('reads the amount "%s" by the rule of the server', async (written, isTaken) => {
    expect(amountOf(written) !== undefined).toBe(isTaken)
    if (isTaken) expect(await readAmount(written)).toBe(written)
    else await expect(readAmount(written)).rejects.toMatchObject({ codeName: 'cli.usage' })
  })

  test('says when to try again from when it was decided, which is a while ago where it is told again', () => {
    const decision: Decision = {
      ...{ metric: 'exports', amount: 1, usage: 5, limit: 5, remaining: 0, periodStart: null, periodEnd: null },
      ...{ allowed: false, reason: 'rate_limited', quotaUsageLevel: 'None', quotaUsagePolicy: 'RateLimit', tier: null },
      ...{ chargedCredits: 0, fundingBalanceMetric: null, fundingBalanceRemaining: null, retryAfterSeconds: 60 },
      ...{ idempotentKey: 'k', replayed: true, decidedAt: '2026-11-30T12:00:00.000Z' },
    }
    const told = decisionLines(decision, false, Date.parse('2026-11-30T12:00:45Z'))
    expect(told).toContainEqual(expect.stringMatching(/^ {2}try again +2026-11-30T12:01:00Z \(in 15 s/))
  })
})

describe('licet usage upload', () => {
  test('counts each record once, tells what is rejected with its line, and loses no digit', async () => {
    const many = Array.from({ length: 1100 }, (_, at) => record(at + 10, 'bytes', 1)).reverse()
    const odd = [record(1, 'bytes', '1000000000000000.123456789'), record(2, 'no-such', 1), '', record(1, 'bytes', 5)]
    here.put('usage.jsonl', [...odd, ...many].join('\n'))
    const uploaded = await usage('upload', 'usage.jsonl', ...asDevice)
    expect(uploaded.stdout).toMatch(/^usage\.jsonl:2 {2}transaction 2 rejected: .* \(\d{4} [a-z_.]+\)\n/)
    expect(uploaded.stdout).toContain('\n1101 records processed, 1 duplicate, 1 rejected.\nAcknowledged up to 1109.\n')
    expect(uploaded.stderr).toMatch(/^Uploading 1103 records to 127\.0\.0\.1:\d+…\n$/)
    expect(uploaded.exitCode).toBe(1)
    const again = await usage('upload', 'usage.jsonl', ...asDevice, '--json')
    expect(again.json()).toMatchObject({ processed: 0, duplicates: 1102, rejected: [{ line: 2, transactionId: 2 }] })

    const shown = await usage('show', ...asDevice, '--metric', 'bytes')
    expect(shown.stdout).toMatch(/\nbytes +1000000000001100\.123456789 .* lifetime\n/)
    const document = await usage('show', ...asDevice, '--metric', 'bytes', '--json')
    expect(document.stdout).toContain('"usage": 1000000000001100.123456789,')
  })

  test('takes a JSON array from stdin for an entitlement, and refuses what holds no records before it sends any', async () => {
    const input = `[\n${record(1, 'exports', 1)},\n\n${record(2, 'exports', '"2.5"')}\n]`
    const uploaded = await here.run(['usage', 'upload', '-', ...asSupport(), '--json'], { input })
    expect(uploaded.json()).toEqual({ processed: 2, duplicates: 0, rejected: [], acknowledgedTransactionId: 2 })
    expect(uploaded.exitCode).toBe(0)
    expect((await meterOf('exports')).usage.usage).toBe(16)

    const refused = await here.run(['usage', 'upload', '-', ...asSupport()], { input: `[\n{"transactionId": 1.5}, 4]` })
    expect(refused.stderr).toMatch(/Nothing was uploaded\.\n {2}stdin:2 \[0\]: no JSON object.*\n {2}stdin:2 \[1\]: no/)
    expect(refused.exitCode).toBe(1)
    const nothing = await here.run(['usage', 'upload', '-', ...asSupport()], { input: '' })
    expect(nothing.stderr).toMatch(/There is nothing on stdin/)
    expect(nothing.exitCode).toBe(1)
    expect((await usage('upload', '-', '--license', '-')).exitCode).toBe(64)
    expect((await usage('upload', 'usage.jsonl', ...asDevice, ...asSupport())).exitCode).toBe(64)
  })

  test('uploads beside what is no record, which it tells with its place', async () => {
    const whole = record(5001, 'bytes', 1)
    here.put('torn.jsonl', [whole.slice(0, 40), whole, record(5002, 'bytes', 1), '{"transactionId": 1.5}'].join('\n'))
    const uploaded = await usage('upload', 'torn.jsonl', ...asDevice)
    const why = 'rejected: no JSON object with a transactionId that is a whole number \\(8002 cli.input\\)\n'
    expect(uploaded.stdout).toMatch(new RegExp(`^torn.jsonl:1 {2}${why}torn.jsonl:4 {2}${why}`))
    expect(uploaded.stdout).toContain('\n2 records processed, 0 duplicates, 2 rejected.\nAcknowledged up to 5002.\n')
    expect(uploaded.exitCode).toBe(1)
    const again = await usage('upload', 'torn.jsonl', ...asDevice, '--json')
    const rejected = [1, 4].map((line) => ({ line, index: null, transactionId: null, codeName: 'cli.input' }))
    expect(again.json()).toMatchObject({ processed: 0, duplicates: 2, rejected })
    const input = `[${whole}, 4]`
    const array = await here.run(['usage', 'upload', '-', ...asDevice, '--json'], { input })
    expect(array.json()).toMatchObject({ duplicates: 1, rejected: [{ line: 1, index: 1 }] })
    expect(array.exitCode).toBe(1)
  })

  test('uploads beside what the server would refuse a whole batch for, and says why not each of it', async () => {
    const deepest = `${'['.repeat(63)}${']'.repeat(63)}`
    const lines = [
      record(6001, 'bytes', 1),
      '{"transactionId": 6002, "eventName": "a", "eventName": "b"}',
      '{"transactionId": 6003, "eventName": "\\u0000"}',
      `{"transactionId": 6004, "eventData": ${deepest}}`,
      record(6005, 'bytes', 1, { attributes: 'x'.repeat(1.5e6) }),
      record(6006, 'bytes', 1),
    ]
    const torn = Buffer.from(record(6007, 'bytes', 1, { attributes: 'Café' })).subarray(0, -3)
    here.put('odd.jsonl', Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), torn]))
    const uploaded = await usage('upload', 'odd.jsonl', ...asDevice)
    expect(torn.at(-1)).toBe(0xc3)
    expect(uploaded.stdout.split('\n').map((line) => line.replace(/^odd\.jsonl:(\d) +rejected: /, '$1 '))).toEqual([
      '2 JSON that the server does not take: it holds the key "eventName" twice in one object (8002 cli.input)',
      '3 JSON that the server does not take: it holds the character NUL (8002 cli.input)',
      '4 JSON that the server does not take: it is nested deeper than 63 levels (8002 cli.input)',
      '5 larger than the 1 MiB that the server takes at once (8002 cli.input)',
      '7 no JSON object with a transactionId that is a whole number (8002 cli.input)',
      '2 records processed, 0 duplicates, 5 rejected.',
      'Acknowledged up to 6006.',
      '',
    ])
    expect(uploaded.exitCode).toBe(1)
  })

  test.each(['"a": 1e400', '"a": "\\ud800"', '"__proto__": 1', '"a": "\xff"'])(
    'takes a record with %s for none, in a line and in a list, and those beside it for what they are',
    (member) => {
      const [good, bad] = ['{"transactionId": 1, "a": "é"}', `{"transactionId": 2, ${member}}`]
      for (const text of [`${good}\n${bad}\n`, `[${bad},\n${good}]`]) {
        const bytes = Buffer.from(text.replaceAll('é', '\xc3\xa9'), 'latin1')
        const { records, unreadable } = readRecords(bytes, 'usage.json')
        expect(records).toMatchObject([{ transactionId: 1, text: expect.stringMatching(/^\s*{.*"é"}$/) }])
        expect(unreadable).toMatchObject([
          { message: expect.stringMatching(/^JSON that the server does not take: it /) },
        ])
      }
    },
  )

  test('reads files that were joined, each with a byte order mark', () => {
    const bytes = Buffer.from('\ufeff{"transactionId": 1}\r\n\ufeff{"transactionId": 2}\r\n\r\n')
    expect(readRecords(bytes, 'usage.jsonl')).toMatchObject({ records: [{ line: 1 }, { line: 2 }], unreadable: [] })
  })

  test('tells of no more places than a person reads', async () => {
    expect(() => readRecords(Buffer.from('no\n'.repeat(3000)), 'usage.jsonl')).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('at 3000 places, of which these are the first 20'),
        details: expect.objectContaining({ errors: expect.objectContaining({ length: 20 }) }),
      }),
    )
    const rejection = { code: 2701, codeName: 'usage.metric_not_found' as const, message: 'No such metric.' }
    const rejected = Array.from({ length: 3000 }, (_, at) => ({ line: 1, index: at, transactionId: at, ...rejection }))
    const told = uploadedLines({ processed: 0, duplicates: 0, rejected, acknowledgedTransactionId: 2999 }, 'usage.json')
    expect(told[199]).toMatch(/^usage\.json:1 \[199\] {2}transaction 199 rejected: /)
    expect(told[200]).toBe('… and 2800 more (--json lists all)')
    expect(told).toHaveLength(203)
  })

  test.each([
    ['goes away', (out: ServerResponse) => problem(out, 503, 9003, 'server.unavailable', 'Draining'), 'Draining'],
    [
      'takes nothing more',
      (out: ServerResponse) =>
        json(out, 200, { processed: 0, duplicates: 0, rejected: [], acknowledgedTransactionId: 600 }),
      'The server acknowledged none of a batch',
    ],
  ])('says how far it came when the server %s in between', async (_what, answer, words) => {
    let batches = 0
    const server = await standIn({
      [`POST ${provision}/usage/entitlements/${never}/transactions`]: ({ body }, out) => {
        const ids: number[] = JSON.parse(body).map(({ transactionId }: Json) => transactionId)
        if (++batches > 1) answer(out)
        else json(out, 200, { processed: 600, duplicates: 0, rejected: [], acknowledgedTransactionId: ids[599] })
      },
    })
    const input = Array.from({ length: 1200 }, (_, at) => record(at + 1, 'bytes', 1)).join('\n')
    const ended = await licet(['usage', 'upload', '-', '--entitlement', never], { env: server.variables, input })
    await server.close()
    expect(ended.stderr).toContain(`${words}. 600 of 1200 records were uploaded, up to 600.\n  Try: the same again`)
    expect(JSON.parse(server.seen[1]!.body)[0].transactionId).toBe(601)
    expect(ended.exitCode).toBe(1)
  })
})

describe('licet usage show and ledger', () => {
  test('show support every meter, and what moved a balance', async () => {
    const args = ['api', 'POST', `${provision}/operational/entitlements/${entitlementId}/balances/credits/deposit`]
    const deposit = { amount: 0.25, reference: 'PO-7' }
    await here.run([...args, '--env', 'acme', '--data', JSON.stringify(deposit)])
    expect((await usage('consume', 'credits', ...asDevice, '--amount', '10')).exitCode).toBe(0)

    const shown = await usage('show', ...asSupport())
    expect(shown.stdout).toMatch(/^METRIC +USED +UNIT +LIMIT +REMAINING +LEVEL +PERIOD +RESETS\n/)
    expect(shown.stdout).toMatch(/\ncredits +10 +credits +50\.25 +40\.25 +None +balance since 20\S+\n/)
    const { meters } = (await usage('show', ...asSupport(), '--metric', 'credits', '--json')).json()
    expect(meters).toMatchObject([{ kind: 'Balance', consumption: { creditsUsed: 10, remaining: 40.25 } }])
    const ledger = await usage('ledger', 'credits', ...asSupport(), '--limit', '2')
    expect(ledger.stdout).toMatch(
      /^WHEN .*\n\S+Z +Consumption +-10 +40\.25 .*\n\S+Z +Deposit +\+0\.25 +50\.25 +PO-7 .*\nThe latest 2 of 3; /,
    )
    const { entries } = (await usage('ledger', 'credits', ...asSupport(), '--json')).json()
    expect(entries.map(({ amount }: Json) => amount)).toEqual([-10, 0.25, 50])
  })

  test.each<[string, () => string[], number, RegExp]>([
    ['about nobody', () => [], 64, /either a licence or an entitlement/],
    ['as a device about everything', () => asDevice, 64, /--metric/],
    ['a metric that it has not', () => [...asSupport(), '--metric', 'EXPORTS'], 1, /has no metric/],
    ['an entitlement that is not there', () => ['--entitlement', never, '--env', 'acme'], 1, /Try:/],
  ])('%s', async (_, args, exitCode, said) => {
    const ended = await usage('show', ...args())
    expect(ended.stderr).toMatch(said)
    expect(ended.exitCode).toBe(exitCode)
  })

  test('go by what the command line names, whatever the environment names beside it', async () => {
    const exported = { LICET_LICENSE: 'licence.jwt', LICET_ENTITLEMENT: never }
    const show = (...args: string[]) => here.run(['usage', 'show', '--metric', 'credits', ...args], { env: exported })
    expect((await show(...asSupport())).stdout).toMatch(/\ncredits /)
    expect((await show(...asDevice)).stdout).toMatch(/\ncredits /)
    expect((await show()).stderr).toMatch(/either a licence or an entitlement/)
  })

  test('draw how much is used on a terminal, and fold what is too wide', () => {
    const figures = { unit: null, quotaUsagePolicy: 'None' as const, tier: null, tiers: [], suspendedUntilAt: null }
    const periodStart = '2026-11-01T00:00:00.000Z'
    const periodEnd = '2026-12-01T00:00:00.000Z'
    const meterWith = (
      metric: string,
      used: number,
      limit: number | null,
    ): Pick<Meter, 'kind' | 'usage' | 'consumption'> => {
      const remaining = limit === null ? null : limit - used
      const snapshot = { ...figures, metric, usage: used, limit, remaining, periodStart, periodEnd }
      return { kind: 'Metered', usage: { ...snapshot, quotaUsageLevel: 'None' }, consumption: snapshot }
    }
    const meters = [
      meterWith('none', 0, 8),
      meterWith('few', 1, 1000),
      meterWith('all', 8, 8),
      meterWith('any', 8, null),
    ]
    const canvas = { width: 200, colours: paint(process.stdout) }
    const drawn = meterLines(meters, Date.parse('2026-11-30T00:00:00Z'), canvas)
    expect(drawn.slice(1)).toEqual([
      expect.stringMatching(/^none .* ░{12} 0 % +None +2026-11-01 to 2026-12-01 +in 1 day$/),
      expect.stringMatching(/^few .* █░{11} 0 % /),
      expect.stringMatching(/^all .* █{12} 100 % /),
      expect.stringMatching(/^any +8 +None/),
    ])
    const folded = meterLines(meters.slice(0, 1), Date.parse('2026-11-30T00:00:00Z'), { ...canvas, width: 60 })
    expect(folded).toHaveLength(3)
    expect(folded[0]).toBe(`none  ${'░'.repeat(12)} 0 %`)
    expect(folded[1]).toBe('    0 of 8 used, 8 remain, None, 2026-11-01 to 2026-12-01,')
  })
})
