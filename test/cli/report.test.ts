import { afterAll, beforeAll, expect, test } from 'vitest'
import { paint } from '../../cli/colour.ts'
import { reportLines } from '../../cli/screens/report.ts'
import type { NamedReport } from '../../cli/tasks/report.ts'
import { licet } from '../support/licet-binary.ts'
import { json, problem, type StandIn, standIn } from './tenant-stand-in.ts'

const usage = {
  ...{ from: null, to: null },
  metrics: [
    {
      ...{ productId: 'p', productCode: 'CAD', productVersion: '2', metricName: 'exports', kind: 'Metered' as const },
      ...{ unit: null, entitlements: 2, usage: 8, overage: 2 },
    },
    {
      ...{
        productId: 'p',
        productCode: 'CAD',
        productVersion: '2',
        metricName: 'evil\u001b[2J',
        kind: 'Balance' as const,
      },
      ...{ unit: 'credits', entitlements: 1, usage: 7.5, overage: 0 },
    },
  ],
}
const csv = 'productCode,usage\r\nCAD,8\r\n'

let tenant: StandIn
beforeAll(async () => {
  tenant = await standIn({
    'GET /api/v1/provision/admin/reports/usage': ({ url }, out) =>
      url.includes('format=csv')
        ? out.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end(csv)
        : json(out, 200, usage),
    'GET /trpc/admin.clients.list': (_, out) => problem(out, 403, 2003, 'auth.insufficient_scope', 'No.'),
  })
})
afterAll(() => tenant.close())
const report = (...args: string[]) => licet(['report', ...args], { env: tenant.variables })

const draw = (named: NamedReport, width: number) => reportLines(named, { width, colours: paint({ isTTY: false }) })

test('a report is a table, one JSON document or a file for a spreadsheet', async () => {
  const shown = await report('usage', '--from', '2026-01-01T01:00:00+01:00')
  expect(shown.stdout.trimEnd().split('\n')).toEqual([
    'PRODUCT  METRIC       KIND     USED  OVERAGE  UNIT     ENTITLEMENTS',
    'CAD@2    exports      Metered     8        2                      2',
    'CAD@2    evil\\x1b[2J  Balance   7.5        0  credits             1',
  ])
  expect(shown.stdout).not.toContain('\u001b')
  expect(tenant.seen.at(-1)!.url).toContain('from=2026-01-01T00%3A00%3A00')
  expect(JSON.parse((await report('usage', '--json')).stdout)).toEqual(usage)
  expect((await report('usage', '--csv')).stdout).toBe(csv)
})

test.each([
  ['revenue', '--from', '2026-01-01T00:00:00Z'],
  ['usage', '--interval', 'Day'],
  ['usage', '--csv', '--json'],
  ['profits'],
])('%s %s %s is wrong usage', async (...args) => {
  expect((await report(...args)).exitCode).toBe(64)
})

test('a flag that is no date-time is refused in one sentence', async () => {
  const { exitCode, stderr } = await report('usage', '--from', 'yesterday')
  expect([exitCode, stderr]).toEqual([64, 'Error: --from is no date-time.\n  Try: 2027-12-31T23:59:59Z\n'])
})

test('credentials that may not list clients find none by name', async () => {
  const { exitCode, stderr } = await licet(['audit', '--actor', 'boss'], { env: tenant.variables })
  expect([exitCode, stderr]).toEqual([64, expect.stringContaining('these credentials may not look for a client')])
})

test('on a terminal bars tell how much, and a narrow one has every figure with its name', () => {
  expect(draw({ name: 'usage', report: usage }, 120)[1]).toContain('████░░░░░░░░░░░░')
  const unpaid = { ...usage.metrics[1]!, metricName: 'credits', usage: 1, overage: 3 }
  const metrics = [usage.metrics[0]!, { ...unpaid, unit: null }, { ...unpaid, usage: 0, unit: null }]
  expect(draw({ name: 'usage', report: { ...usage, metrics } }, 30)).toEqual([
    ...['CAD@2  exports', '    kind Metered, used 8,', '    overage 2, entitlements 2,'],
    '    overage ████░░░░░░░░░░░░',
    ...['CAD@2  credits', '    kind Balance, used 1,', '    overage 3, entitlements 1,'],
    '    overage ████████████░░░░',
    ...['CAD@2  credits', '    kind Balance, used 0,', '    overage 3, entitlements 1,'],
    '    overage ████████████████',
  ])
  const interval = { activations: 4, released: 1, revoked: 0, lapsed: 1, seats: 3 }
  const intervals = [{ start: '2026-12-02T00:00:00.000Z', ...interval }]
  const activations = { from: null, to: null, interval: 'Day' as const, intervals }
  expect(draw({ name: 'activations', report: activations }, 48)).toEqual([
    '2026-12-02',
    '    activated 4, released 1, revoked 0,',
    '    lapsed 1, seats 3, seats ████████████████',
  ])
})

test('revenue is told by currency, product, plan and weight, what is not priced apart', () => {
  const rates = (monthlyRunRate: number) => ({ currency: 'EUR', monthlyRunRate, yearlyRunRate: monthlyRunRate * 12 })
  const whose = { suiteCode: 'CAD', productId: 'p', productCode: 'CAD', productVersion: null }
  const plan = (planName: string, more: object) => ({
    ...{ ...whose, planSetId: 's', planSetName: 'Standard', planName, pricingMode: 'Absolute', relativeWeight: null },
    ...{ monthlyPrice: null, currency: null, entitlements: 1, trials: 0, share: null },
    ...{ monthlyRunRate: null, yearlyRunRate: null },
    ...more,
  })
  const lines = draw(
    {
      name: 'revenue',
      report: {
        asOf: '2026-11-22T00:00:00.000Z',
        currencies: [{ ...rates(80), entitlements: 2 }],
        products: [{ ...whose, ...rates(80), entitlements: 2 }],
        plans: [plan('Pro', { ...rates(60), monthlyPrice: 60 }), plan('Small', { ...rates(20), monthlyPrice: 20 })],
        weightedPlans: [plan('Heavy', { relativeWeight: 3, share: 0.75 })],
        unpricedPlans: [plan('Soon', {})],
        withoutPlan: 0,
      },
    },
    160,
  ).map((line) => line.replaceAll(/ +/g, ' '))
  expect(lines).toEqual([
    'By currency',
    'CURRENCY MONTHLY YEARLY ENTITLEMENTS',
    'EUR 80 960 2',
    '',
    'By product',
    'PRODUCT CURRENCY MONTHLY YEARLY ENTITLEMENTS',
    'CAD EUR 80 960 2',
    '',
    'By plan, with its part of the currency',
    'SUITE PLAN SET PLAN PRICE CURRENCY MONTHLY YEARLY ENTITLEMENTS TRIALS',
    'CAD Standard Pro 60 EUR 60 720 1 0 ████████████░░░░',
    'CAD Standard Small 20 EUR 20 240 1 0 ████░░░░░░░░░░░░',
    '',
    'By weight',
    'SUITE PLAN SET PLAN WEIGHT SHARE ENTITLEMENTS TRIALS',
    'CAD Standard Heavy 3 75.0 % 1 0 ████████████░░░░',
    '',
    'Not priced yet',
    'SUITE PLAN SET PLAN ENTITLEMENTS TRIALS',
    'CAD Standard Soon 1 0',
  ])
})

test('what is no report is told', async () => {
  for (const answer of [{}, [], { metrics: null }]) {
    const foreign = await standIn({ '*': (_asked, out) => json(out, 200, answer) })
    const ended = await licet(['report', 'usage', '--json'], { env: foreign.variables })
    expect(ended.json().error.codeName).toBe('cli.unreadable_answer')
    await foreign.close()
  }
})

test('a report without lines says so', () => {
  expect(draw({ name: 'campaigns', report: { from: null, to: null, campaigns: [] } }, 80)).toEqual([
    'There is nothing to report yet.',
  ])
})
